/** Ref callback for the result or replacement of a control just used, so that keyboard and screen reader users continue there. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus({ preventScroll: false })
