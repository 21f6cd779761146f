/** Shortens a story with a defect as far as it still shows the defect. */
import type { Kind } from "./finding.ts";
import type { Plan } from "./plan.ts";
import type { Step } from "./step.ts";

/** The most stories played for that. */
const MOST_TRIES = 600;

/** Whether a plan still shows the defect. */
export type Shows = (plan: Plan) => Promise<Kind | undefined>;

/** Smaller forms of a step. */
function smaller(step: Step): Step[] {
  if (step.do === "next" && step.times > 1) {
    return [{ ...step, times: Math.floor(step.times / 2) }];
  }
  if (step.do === "many" && step.n > 1) {
    return [
      { ...step, n: Math.floor(step.n / 2) },
      { ...step, n: step.n - 1 },
    ];
  }
  if (step.do === "async" && step.calls > 1) {
    return [{ ...step, calls: Math.floor(step.calls / 2) }];
  }
  if (step.do === "at" && step.times > 1) {
    return [{ ...step, times: Math.floor(step.times / 2) }];
  }
  if (step.do === "restart" && step.policies.length > 1) {
    return [{ ...step, policies: step.policies.slice(0, 1) }];
  }
  return [];
}

export async function shrink(plan: Plan, kind: Kind, shows: Shows): Promise<Plan> {
  let tries = 0;
  let best = plan;
  const better = async (steps: readonly Step[]): Promise<boolean> => {
    const candidate = { ...best, steps };
    if (++tries > MOST_TRIES || (await shows(candidate)) !== kind) {
      return false;
    }
    best = candidate;
    return true;
  };
  for (let size = Math.ceil(plan.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.steps.length; ) {
      const { steps } = best;
      at += (await better([...steps.slice(0, at), ...steps.slice(at + size)])) ? 0 : size;
    }
  }
  for (let at = 0; at < best.steps.length; at++) {
    for (let going = true; going; ) {
      going = false;
      for (const less of smaller(best.steps[at] as Step)) {
        const { steps } = best;
        going ||= await better([...steps.slice(0, at), less, ...steps.slice(at + 1)]);
      }
    }
  }
  return best;
}
