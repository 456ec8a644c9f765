import type { Attributes } from '../attributes.ts'
import type { Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { contacts } from './shared-shapes.ts'

/** mm: the edge connector by its lanes; PCI is as long as PCIe x16. */
const edges: [name: RegExp, length: number][] = [
  [/x16\b/, 82],
  [/x8\b/, 49],
  [/x4\b/, 32],
  [/x[12]\b/, 18],
  [/^PCI(-X)?$/, 78],
]

/** A network or sound card: bracket with its sockets, and the edge that goes into the slot. A network adapter for USB has a plug. */
export const cardWith = (
  socketsOf: (attributes: Attributes) => { count: number | undefined; draw: (sheet: Sheet, y: number) => void; label: string },
): Kind => ({
  span: { width: 150, height: 130 },
  draw(sheet, attributes) {
    const { count, draw, label } = socketsOf(attributes)
    const text = attributes.text('interface')
    if (/USB/.test(text)) {
      sheet
        .rect('f', 50, 36, 64 + (count ?? 1) * 10, 42, 8)
        .path('b', [
          ['M', 50, 57],
          ['L', 30, 57],
        ])
        .rect(/type.?c/i.test(text) ? 'c f' : 'f', 4, 50, 26, 14, /type.?c/i.test(text) ? 6 : 1)
      sheet.rects(
        'c f',
        Array.from({ length: count ?? 1 }, (_, nth) => [70 + nth * 18, 50, 14, 14]),
      )
      sheet.text(label, [90, 92], { height: 12, width: 110 })
      return
    }
    const [, edge] = edges.find(([name]) => name.test(text)) ?? []
    sheet.rect('d', 4, 0, 3, 120).lines('', [[0, 0, 4, 0]])
    sheet.rect('f', 12, 12, 134, 84, 3)
    if (edge === undefined) sheet.rect('u', 40, 96, 40, 10)
    else {
      sheet.rect('f', 40, 96, edge, 10)
      contacts(sheet, 42, 38 + edge, [98, 104], 4)
    }
    for (let nth = 0; nth < Math.min(count ?? 1, 5); nth++) draw(sheet, 18 + nth * 16)
    if (count === undefined) sheet.rect('u m', 2, 40, 18, 40)
    sheet.rect('c f', 66, 34, 28, 28, 2).lines('t', [
      [52, 24, 52, 72],
      [108, 24, 108, 72],
      [120, 30, 136, 30],
      [120, 40, 136, 40],
    ])
    sheet.text(label, [92, 82], { height: 13, width: 90 })
  },
})

export const soundCard = cardWith((attributes) => {
  const channels = attributes.text('channels')
  const rate = attributes.number('sample_rate_khz')
  const [, front = '', bass = '0'] = /^(\d)\.(\d)/.exec(channels) ?? []
  return {
    count: front === '' ? undefined : Math.ceil((Number(front) + Number(bass)) / 2),
    draw: (sheet, y) => sheet.circle('f', 8, y + 6, 6).circle('c f', 8, y + 6, 2),
    label: [channels, rate === undefined ? '' : `${rate} kHz`].filter(Boolean).join('  '),
  }
})
