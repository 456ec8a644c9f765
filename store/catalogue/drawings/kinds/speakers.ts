import type { Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { bluetoothSign } from './shared-shapes.ts'

/** As many boxes as there are channels: "2.1" is two and a subwoofer. */
export const speakers: Kind = {
  span: { width: 300, height: 190 },
  draw(sheet, attributes) {
    const kind = attributes.text('kind')
    const [, stated, bass] = /^(\d)\.(\d)/.exec(attributes.text('channels')) ?? []
    const count = Math.min(7, Number(stated ?? (/portable|soundbar/i.test(kind) ? 1 : 2)))
    const outline = stated === undefined && !/portable|soundbar/i.test(kind) ? 'f u' : 'f'
    const subwoofers = Number(bass ?? 0) > 0 ? 1 : 0
    if (/soundbar/i.test(kind)) drawBar(sheet)
    else if (/portable/i.test(kind)) drawPortable(sheet)
    else {
      const width = count > 2 ? 46 : /monitor/i.test(kind) ? 88 : 70
      const height = /monitor/i.test(kind) ? 150 : count > 2 ? 90 : 130
      for (let nth = 0; nth < count; nth++) {
        const perRow = count > 3 ? Math.ceil(count / 2) : count
        const left = (nth % perRow) * (width + 16) + (nth >= count / 2 && subwoofers && count === 2 ? 110 : 0)
        drawBox(sheet, [left, 10 + Math.floor(nth / perRow) * (height + 10)], [width, height], outline)
      }
    }
    if (subwoofers > 0) {
      const left = count === 2 ? 84 : /soundbar/i.test(kind) ? 120 : Math.ceil(count / 2) * 62 + 6
      const top = /soundbar/i.test(kind) ? 70 : count === 2 ? 34 : 20
      sheet
        .rect('f', left, top, 104, 106, 4)
        .circle('', left + 52, top + 48, 36)
        .circle('c f', left + 52, top + 48, 14)
        .rect('d', left + 30, top + 92, 44, 5, 2)
    }
    const power = attributes.number('power_w')
    if (power !== undefined) sheet.text(`${power} W`, [150, 186], { height: 15, width: 90 })
    if (attributes.texts('connectivity').some((one) => /bluetooth|wireless/i.test(one))) bluetoothSign(sheet, [276, 1])
  },
}

function drawBox(sheet: Sheet, [left, top]: readonly [number, number], [width, height]: readonly [number, number], outline: string) {
  const middle = left + width / 2
  sheet.rect(outline, left, top, width, height, 5)
  sheet.circle('', middle, top + height * 0.64, width * 0.36).circle('c f', middle, top + height * 0.64, width * 0.13)
  sheet.circle('', middle, top + height * 0.22, width * 0.18).circle('t', middle, top + height * 0.22, width * 0.06)
}

function drawBar(sheet: Sheet) {
  sheet
    .rect('f', 0, 20, 300, 40, 10)
    .circles(
      '',
      [40, 90, 210, 260].map((x) => [x, 40, 13] as const),
    )
    .rect('c f', 138, 30, 24, 20, 3)
}

function drawPortable(sheet: Sheet) {
  sheet.rect('f', 60, 50, 180, 80, 38).circle('', 110, 90, 26).circle('', 190, 90, 26).circle('c f', 110, 90, 9).circle('c f', 190, 90, 9)
  sheet.path('', [
    ['M', 90, 50],
    ['C', 100, 24, 200, 24, 210, 50],
  ])
}
