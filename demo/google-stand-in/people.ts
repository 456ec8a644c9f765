import { createHash } from 'node:crypto'

/** Somebody with a Google account, as far as the stand-in knows. */
export type Person = { name: string; email: string; verified: boolean }

export const people: Person[] = [
  { name: 'Mia Torres', email: 'mia.torres@people.example', verified: true },
  { name: 'Jonas Weber', email: 'jonas.weber@people.example', verified: true },
  { name: 'Aiko Tanaka', email: 'aiko.tanaka@people.example', verified: true },
  { name: 'Sam Okoro', email: 'sam.okoro@people.example', verified: false },
]

/** What the issuer calls this person: the same for the same e-mail, as Google's are for the same account. */
export const subjectOf = ({ email }: Person): string => createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 21)
