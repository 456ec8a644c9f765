import type { KnownThing } from '../drawing-contract.ts'
import { type Projection, rounded } from './sheet.ts'

/** Known things as they are drawn beside a part on its scale. Sizes in mm. */
export const knownThings: Record<KnownThing, { width: number; height: number; draw: (projection: Projection) => string }> = {
  // 1 euro and a quarter of a dollar differ by a millimetre
  coin: {
    width: 24,
    height: 24,
    draw: ({ x, y, scale }) =>
      `<g class="c"><circle class="f" cx="${rounded(x(12))}" cy="${rounded(y(12))}" r="${rounded(12 * scale)}"/><circle class="t" cx="${rounded(x(12))}" cy="${rounded(y(12))}" r="${rounded(9 * scale)}"/></g>`,
  },
  hand: {
    width: 92,
    height: 185,
    draw: ({ x, y }) => {
      const at = (px: number, py: number) => `${rounded(x(px))} ${rounded(y(py))}`
      const finger = (left: number, width: number, top: number) =>
        `L${at(left, 95)}L${at(left, top + width / 2)}Q${at(left, top)} ${at(left + width / 2, top)}Q${at(left + width, top)} ${at(left + width, top + width / 2)}L${at(left + width, 92)}`
      return `<path class="c f" d="M${at(22, 185)}L${at(20, 150)}Q${at(4, 128)} ${at(1, 100)}Q${at(0, 86)} ${at(10, 88)}Q${at(18, 96)} ${at(24, 112)}${finger(26, 15, 18)}${finger(42, 15, 2)}${finger(58, 15, 10)}${finger(74, 13, 34)}L${at(87, 130)}Q${at(86, 150)} ${at(74, 160)}L${at(72, 185)}Z"/>`
    },
  },
  board: {
    width: 244,
    height: 305,
    draw: ({ x, y, scale }) => {
      const box = (classes: string, px: number, py: number, width: number, height: number) =>
        `<rect class="${classes}" x="${rounded(x(px))}" y="${rounded(y(py))}" width="${rounded(width * scale)}" height="${rounded(height * scale)}"/>`
      return `<g class="c">${box('f', 0, 0, 244, 305)}${box('', 80, 60, 54, 58)}${[0, 1, 2, 3].map((nth) => box('t', 186 + nth * 9, 14, 5, 133)).join('')}${box('', 30, 190, 89, 8)}${box('', 30, 231, 89, 8)}${box('t', 0, 14, 26, 130)}</g>`
    },
  },
}
