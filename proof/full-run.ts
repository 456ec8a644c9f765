/** `npm run proof` asks for the whole of it, `npm test` for a seeded sample. */
export const isFullRun: boolean = process.env.PROOF === 'whole'

export const sampleSize = (quick: number, all: number): number => (isFullRun ? all : quick)

/** Too long for a sample: a row whose other sentences `npm test` samples. */
export const fullRunOnly = { skip: !isFullRun && 'in npm run proof' }
