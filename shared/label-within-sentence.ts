/** A label for use within a sentence: "graphics cards", but "CPU coolers", "DisplayPort" and "Wi-Fi" are unchanged. */
export const labelWithinSentence = (label: string): string =>
  /^[A-Z][a-z]+(?![A-Za-z-])/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
