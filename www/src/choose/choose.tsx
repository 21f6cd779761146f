/** The page "Which format?": questions, a comparison and calculators. */
import { useMemo } from "preact/hooks";
import "./choose.css";
import { useFragment } from "../lib/use-fragment.ts";
import { Calculator } from "./calculator.tsx";
import { Collisions } from "./collisions.tsx";
import { Compare } from "./compare.tsx";
import { allFacts } from "./facts.ts";
import { Which } from "./which.tsx";

export function Choose() {
  const [texts, change] = useFragment();
  const facts = useMemo(() => allFacts(Date.now()), []);
  const shared = { texts, onChange: change };
  return (
    <>
      <Which {...shared} />
      <Compare facts={facts} />
      <Calculator facts={facts} {...shared} />
      <Collisions {...shared} />
    </>
  );
}
