/** A ref for what answers, or takes the place of, the control that was just used: whoever moves by keyboard or by ear goes on there. */
export const focused = (element: HTMLElement | null): void => element?.focus({ preventScroll: false })
