/** "Which one?": up to four questions, which end in one line of code and the reasons. */
import { Copy } from "../lib/copy.tsx";
import { root } from "../lib/page.ts";
import { Scroll } from "../lib/scroll.tsx";
import { importCode, subjectOf, type Texts } from "../lib/subjects.ts";
import { adviceFor, questionsFor } from "./questions.ts";

interface Properties {
  readonly texts: Texts;
  readonly onChange: (changes: Texts) => void;
}

export function Which({ texts, onChange }: Properties) {
  const questions = questionsFor(texts);
  const advice = adviceFor(texts);
  const subject = subjectOf(advice?.format);
  return (
    <section aria-label="Which one?">
      <h2>Which one?</h2>
      <div class="questions">
        {questions.map(({ key, asks, answers }) => (
          <fieldset key={key}>
            <legend>{asks}</legend>
            {answers.map(([value, words]) => (
              <label key={value}>
                <input
                  type="radio"
                  name={key}
                  checked={texts[key] === value}
                  onChange={() => onChange({ [key]: value })}
                />
                {words}
              </label>
            ))}
          </fieldset>
        ))}
      </div>
      <div class="advice card" role="status">
        {advice === undefined ? (
          <p class="quiet">Answer {questions.length === 1 ? "the question" : "the questions"}: up to four.</p>
        ) : (
          <>
            <p class="name">{subject.title}</p>
            <ul>
              {advice.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
            <div class="line">
              <Scroll label="The line of code">
                <pre>
                  {importCode(subject)}
                  {"\n"}
                  {advice.code}
                </pre>
              </Scroll>
              <Copy value={`${importCode(subject)}\n${advice.code}`} what="the code" />
            </div>
            <p>
              <a href={new URL(`docs/formats/${subject.page}/`, root()).href}>
                {subject.title}: fields, facts, and when not to use it
              </a>
            </p>
          </>
        )}
      </div>
    </section>
  );
}
