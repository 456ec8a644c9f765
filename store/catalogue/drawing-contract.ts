/** Things whose size everybody knows, or every builder, beside which parts are drawn on one scale. */
export const knownThingNames = ['coin', 'hand', 'board'] as const
export type KnownThing = (typeof knownThingNames)[number]

/** In words, with its size. */
export const knownThingLabels: Record<KnownThing, string> = {
  coin: 'a coin of 24 mm',
  hand: 'a hand of 185 mm',
  board: 'an ATX board of 244 x 305 mm',
}
