/** On a narrow screen, the result may be below the window. */

const NARROW = "(max-width: 46rem)";

/** Scrolls to the first such element once it is drawn, if it begins in the lower half of a narrow window or below. */
export function reveal(selector: string): void {
  if (!matchMedia(NARROW).matches) return;
  requestAnimationFrame(() => {
    const element = document.querySelector(selector);
    if (element !== null && element.getBoundingClientRect().top > innerHeight / 2) {
      element.scrollIntoView({ block: "start" });
    }
  });
}
