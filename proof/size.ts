/** `npm run proof` asks for the whole of it, `npm test` for a seeded sample. */
export const howMany = (quick: number, whole: number): number => (process.env.PROOF === 'whole' ? whole : quick)
