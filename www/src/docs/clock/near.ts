/** Loads the clock when the reader scrolls near it. */

/** The distance from the viewport at which the clock is loaded. */
const NEAR = "800px";

export function clockWhenNear(): void {
  const section = document.querySelector<HTMLElement>(".clock");
  if (section === null) return;
  const load = () =>
    import("./main.tsx").then(
      ({ showClock }) => showClock(section),
      (error: unknown) => {
        console.warn("the clock:", error);
        section.querySelector(".stage")?.append("The clock could not be loaded.");
      },
    );
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void load();
    },
    { rootMargin: NEAR },
  );
  observer.observe(section);
}
