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
    <section aria-label="A few questions">
      <h2>A few questions</h2>
      <div class="questions">
        {questions.map(({ key, asks, answers }) => (
          <fieldset key={key}>
            <legend>{asks}</legend>
            <div>
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
            </div>
          </fieldset>
        ))}
      </div>
      <div class="advice card" role="status">
        {advice === undefined ? (
          <p class="quiet">
            The answer comes after up to four questions, with its reasons and a line of code.
          </p>
        ) : (
          <>
            <div class="titled">
              <p class="name">{subject.title}</p>
              <Copy value={`${importCode(subject)}\n${advice.code}`} what="the code" />
            </div>
            <ul>
              {advice.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
            <Scroll label="The line of code">
              <pre>
                {importCode(subject)}
                {"\n"}
                {advice.code}
              </pre>
            </Scroll>
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
