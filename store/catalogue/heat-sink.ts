const isNamed = /\bheat[ -]?sinks?\b(?![ -]?(?:less|ready|compatible|optional|not|sold|required|recommended|mount|slot))|\bHTSK\b/i
const isDenied =
  /\b(?:without|w\/o|no|non|not|excluding|excl\.?|optional|for|fits|under|ready|removed)[ -](?:(?!\bwith\b|\bw\/)[^,;()]){0,24}heat[ -]?sink/i

/** Whether the name says that the part comes with a heat sink. */
export const namesHeatSink = (name: string): boolean => isNamed.test(name) && !isDenied.test(name)
