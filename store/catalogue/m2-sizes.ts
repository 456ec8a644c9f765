/** The sizes of M.2 drives, the shortest first: 22 mm wide, and so many mm long. */
export const m2Sizes = ['2230', '2242', '2260', '2280', '22110'] as const

/** A size, or two with all that lie between them: "2280" and "2242-2260". Some slots are 25 mm wide, and take drives of 22 mm too. */
export const m2SizePattern = '2[25](\\d{2,3})(?:\\s*-\\s*2[25](\\d{2,3}))?'

/**
 * The M.2 drives that an M.2 slot takes, such as "M.2 2280".
 * @param slot as imported data has it: `{ "size": "2242-2260", "key": "M", "interface": "PCIe x4" }`
 * @returns none for a slot with another key, which is for Wi-Fi or SATA alone
 */
export function m2SizesOf(slot: object): string[] {
  const { size = '', key = '' } = slot as { size?: unknown; key?: unknown }
  if (typeof size !== 'string' || typeof key !== 'string' || !key.includes('M')) return []
  const lengths = [...size.matchAll(new RegExp(m2SizePattern, 'g'))].map(([, from, to]) => [Number(from), Number(to ?? from)] as const)
  return m2Sizes.filter((one) => lengths.some(([from, to]) => lengthOf(one) >= from && lengthOf(one) <= to)).map((one) => `M.2 ${one}`)
}

const lengthOf = (size: string) => Number(size.slice(2))
