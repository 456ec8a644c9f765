/** `npm run proof` asks for the whole of it, `npm test` for a seeded sample. */
export const isFullRun: boolean = process.env.PROOF === 'whole'

export const sampleSize = (quick: number, all: number): number => (isFullRun ? all : quick)

/*
 * For what takes long and is rarely red, where other tests that `npm test` runs show the same row of docs/specification.md or of the proof.
 */

/** For a test of node's runner. */
export const fullRunOnly = { skip: !isFullRun && 'in npm run proof' }

/** For a journey: playwright.config.ts leaves out what bears this tag. */
export const fullRunJourney = { tag: '@full-run' }
