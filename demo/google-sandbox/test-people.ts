import { createHash } from 'node:crypto'

/** A simulated Google account. */
export type TestPerson = { name: string; email: string; verified: boolean }

export const testPeople: TestPerson[] = [
  { name: 'Mia Torres', email: 'mia.torres@people.example', verified: true },
  { name: 'Jonas Weber', email: 'jonas.weber@people.example', verified: true },
  { name: 'Aiko Tanaka', email: 'aiko.tanaka@people.example', verified: true },
  { name: 'Sam Okoro', email: 'sam.okoro@people.example', verified: false },
]

/** The `sub` claim: always the same for the same email, as Google's is for the same account. */
export const subjectOf = ({ email }: TestPerson): string => createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 21)
