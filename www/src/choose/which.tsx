/** A few questions that lead to code, with the reasons for it. */
import { Copy } from "../lib/copy.tsx";
import { importCode, offeredOf, type Texts } from "../lib/offered.ts";
import { root } from "../lib/page.ts";
import { Scroll } from "../lib/scroll.tsx";
import { adviceFor, questionsFor } from "./questions.ts";

interface Properties {
  readonly texts: Texts;
  readonly onChange: (changes: Texts) => void;
}

export function Which({ texts, onChange }: Properties) {
  const questions = questionsFor(texts);
  const advice = adviceFor(texts);
  const offered = offeredOf(advice?.format);
  const code = advice && [importCode(offered), ...advice.imports, advice.code].join("\n");
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
        {advice === undefined || code === undefined ? (
          <p class="quiet">Answer the questions to get a format, the reasons for it, and the code.</p>
        ) : (
          <>
            <div class="titled">
              <p class="name">{offered.title}</p>
              <Copy value={code} what="the code" />
            </div>
            <ul>
              {advice.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
            <Scroll label="The code">
              <pre>{code}</pre>
            </Scroll>
            {advice.isLease && (
              <p>
                <a href={new URL("docs/leases/", root()).href}>
                  Leases: worker IDs that no two processes share, stores, and limits
                </a>
              </p>
            )}
            <p>
              <a href={new URL(`docs/formats/${offered.page}/`, root()).href}>
                {offered.title}: fields, facts, and when not to use it
              </a>
            </p>
          </>
        )}
      </div>
    </section>
  );
}
