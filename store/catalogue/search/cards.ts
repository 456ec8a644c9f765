import { categoryOf } from '../categories.ts'
import type { Facet, Part } from '../contract.ts'
import type { Listed } from './asked.ts'

/** With the key of its category, also where it was imported under another. */
export const asShown = (part: Part): Part => ({ ...part, category: categoryOf(part.category)?.key ?? part.category })

/** A product as `GET /search` shows it, in JSON: written when it changes, so that a page of them only has to be put together. */
export const writtenCard = ({ position: _, ...part }: Listed): string => JSON.stringify(asShown(part))

/** The answer of `GET /search`, as its contract has it. */
export const writtenPage = (found: { total: number; facets: Facet[]; next: string | null }, cards: string[]): string =>
  `${JSON.stringify(found).slice(0, -1)},"tools":[${cards.join()}]}`
