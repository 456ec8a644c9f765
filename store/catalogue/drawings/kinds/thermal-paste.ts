import type { Attributes } from '../attributes.ts'
import type { Kind } from './kind.ts'
import { millimetres } from './shared-shapes.ts'

/** What is put between a part and its cooler: paste, unless it is said to be a pad. */
export const thermalMaterial = (attributes: Attributes): Kind => (/\bpads?\b/i.test(attributes.text('kind')) ? thermalPad : thermalPaste)

/** A pad from above, with the film that is pulled off, and its edge below. */
const thermalPad: Kind = {
  span: { width: 170, height: 90 },
  draw(sheet, attributes) {
    const [length, width, thickness] = ['length_mm', 'width_mm', 'thickness_mm'].map((key) => attributes.number(key))
    const [across, down] = [length ?? 100, width ?? 40]
    const corner = Math.min(across, down) * 0.4
    sheet.tinted('grey', (classes) => sheet.rect(classes, 0, 0, across, down, 1))
    sheet.rect(length === undefined || width === undefined ? 'u' : '', 0, 0, across, down, 1)
    sheet.path('p', [['M', across - corner, 0], ['L', across - corner, corner], ['L', across, corner], ['Z']])
    const edge = down + 5
    sheet.rect(thickness === undefined ? 'u' : 'f', 0, edge, across, thickness ?? 2)
    if (thickness !== undefined) sheet.caption = `${millimetres(thickness)} thick`
    sheet.dimension({ side: 'bottom', from: 0, to: across, text: length === undefined ? undefined : millimetres(length) })
    sheet.dimension({ side: 'right', from: 0, to: down, text: width === undefined ? undefined : millimetres(width) })
  },
}

/** A syringe as long as its weight needs; what is sold by the tub is a tub. */
const thermalPaste: Kind = {
  span: { width: 170, height: 90 },
  draw(sheet, attributes) {
    const grams = attributes.number('weight_g')
    const filling = /metal/i.test(attributes.text('kind')) ? 'grey' : 'gold'
    const label = grams === undefined ? '' : `${grams} g`
    if (grams !== undefined && grams > 25) {
      const radius = Math.min(44, 26 + Math.sqrt(grams))
      const box = (classes: string) => sheet.rect(classes, 80 - radius, 26, radius * 2, 54, 6)
      sheet.tinted(filling, box)
      box('f')
        .rect('f', 76 - radius, 10, radius * 2 + 8, 16, 4)
        .text(label, [80, 54], { height: 16, width: radius * 1.6 })
      return
    }
    const length = 40 + Math.sqrt(grams ?? 4) * 16
    const thick = 14 + Math.sqrt(grams ?? 4) * 4
    const top = 45 - thick / 2
    sheet.tinted(filling, (classes) => sheet.rect(classes, 34, top, length * 0.7, thick, 3))
    sheet
      .rect(grams === undefined ? 'u' : 'f', 34, top, length, thick, 3)
      .path('', [
        ['M', 34, 41],
        ['L', 16, 43],
        ['L', 16, 47],
        ['L', 34, 49],
      ])
      .lines('', [[2, 45, 16, 45]])
    sheet.lines('', [
      [34 + length, 45, 52 + length, 45],
      [52 + length, 45 - thick * 0.6, 52 + length, 45 + thick * 0.6],
      [36 + length, top - 5, 36 + length, top + thick + 5],
    ])
    sheet.lines(
      't',
      [1, 2, 3, 4, 5].map((nth) => [34 + (length * nth) / 6, top, 34 + (length * nth) / 6, top + thick * 0.3] as const),
    )
    sheet.text(label, [34 + length / 2, 47], { height: 13, width: length * 0.7 })
  },
}
