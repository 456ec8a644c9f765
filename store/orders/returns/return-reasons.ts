/** Why a buyer asks for a return. */
export const returnReasons = ['not wanted', 'defective', 'damaged on the way', 'wrong product', 'not as described', 'other'] as const
export type ReturnReason = (typeof returnReasons)[number]

/** What a return comes from: the buyer has asked for it, or has withdrawn from the contract, which the shop cannot refuse. */
export const returnCauses = ['asked', 'withdrawal'] as const
export type ReturnCause = (typeof returnCauses)[number]

/** `open`: not all of its pieces are decided; `taken back`: by who has asked for it, before anything of it came. */
export const returnStatuses = ['open', 'closed', 'taken back'] as const

/** What becomes of a returned piece: the buyer gets its money, another one in its place, or the same one repaired; or it is refused. */
export const returnOutcomes = ['refund', 'replacement', 'repair', 'refused'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]

/** The number of a return as it is written on the parcel. */
export const formatReturnNumber = (number: number): string => `R${number}`

/** The number of a return as somebody types it: "R1001", "r 1001" or "1001"; undefined where it is none. */
export function readReturnNumber(typed: string): number | undefined {
  const [, digits] = /^r?\s*(\d{1,9})$/i.exec(typed.trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}
