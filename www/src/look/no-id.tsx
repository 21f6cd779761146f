/**
 * The answer about a text that is probably not an ID: what else it is, and how it would read as an
 * ID.
 */
import type { Found } from "../find/types.ts";
import { StateView, Times } from "./answer.tsx";
import { Notes } from "./notes.tsx";
import { Readings } from "./readings.tsx";

interface Properties {
  readonly one: Found | undefined;
  readonly now: number;
  readonly onChoose: (key: string) => void;
}

/** Says what else a text is. */
export const insteadOf = ({ instead, readings }: Found): string =>
  instead === undefined
    ? "It has the form of an ID, but its fields match no known service."
    : `It looks like ${readings[0]?.key === "unix" ? readings[0].title.replace(/^U/, "a U") : instead}.`;

export function NoID({ one, now, onChoose }: Properties) {
  const unix = one?.readings.find(({ key }) => key === "unix");
  if (one === undefined || (one.instead === undefined && one.readings.length === 0))
    return (
      <div class="nothing">
        <p class="refused">No ID was found in this text.</p>
        <Notes notes={one?.notes ?? []} />
        <Own />
      </div>
    );
  return (
    <section class="drawing" aria-label="The text">
      <div class="answer card">
        <p class="kind">
          <StateView state={one.certainty} /> <strong>{insteadOf(one)}</strong>
        </p>
        {unix?.timestamp !== undefined && <Times timestamp={unix.timestamp} now={now} />}
        <Notes notes={one.notes} />
      </div>
      <Readings
        readings={one.readings.filter((each) => each !== unix)}
        shown={undefined}
        onChoose={onChoose}
      />
      <Own />
    </section>
  );
}

const Own = () => (
  <p class="quiet">
    To read a Nanoflake, a Snowflake-SI or a Snowflake with your own layout, enter its epoch below.
  </p>
);
