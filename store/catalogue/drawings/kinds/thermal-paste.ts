import type { Kind } from './kind.ts'

/** A syringe as long as its weight needs; what is sold by the tub is a tub. */
export const thermalPaste: Kind = {
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
