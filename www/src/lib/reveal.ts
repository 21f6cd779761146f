/** In windows of at most this width, the result may be out of view. */

const NARROW = "(max-width: 46rem)";

/**
 * Scrolls to the first element of the selector after it is drawn, if the window is narrow and the
 * element starts in its lower half or below.
 */
export function reveal(selector: string): void {
  if (!matchMedia(NARROW).matches) return;
  requestAnimationFrame(() => {
    const element = document.querySelector(selector);
    if (element !== null && element.getBoundingClientRect().top > innerHeight / 2) {
      element.scrollIntoView({ block: "start" });
    }
  });
}
