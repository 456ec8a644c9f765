/** `npm run proof` asks for the whole of it, `npm test` for a seeded sample. */
export const whole: boolean = process.env.PROOF === 'whole'

export const howMany = (quick: number, all: number): number => (whole ? all : quick)

/** Too long for a sample: a row whose other sentences `npm test` samples. */
export const onlyWhole = { skip: !whole && 'in npm run proof' }
