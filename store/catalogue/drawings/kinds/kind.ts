import type { Attributes } from '../attributes.ts'
import type { Sheet } from '../sheet.ts'

/** How parts of one kind are drawn. */
export type Kind = {
  /** mm. Parts that are smaller are drawn smaller, so that the parts of a list stand on one scale; larger ones fill the picture */
  span: { width: number; height: number }
  draw: (sheet: Sheet, attributes: Attributes) => void
}

/** How the parts of a category are drawn, where they are of several kinds. */
export type KindOf = (attributes: Attributes) => Kind
