/** What came out of the checks. */
export interface Result {
  core: string;
  passed: number;
  failed: { name: string; message: string }[];
}

export function checked(
  graupel: typeof import("graupel"),
  sno: typeof import("graupel/sno").sno,
  core: "WebAssembly" | "JavaScript",
): Promise<Result>;
