import type { Attributes } from '../attributes.ts'
import type { Sheet } from '../sheet.ts'
import type { Kind } from './kind.ts'
import { bluetoothSign, lightRing, radioWaves } from './shared-shapes.ts'

export const headphones: Kind = {
  span: { width: 230, height: 200 },
  draw(sheet, attributes) {
    if (/in-ear/i.test(attributes.text('ear_cup_type'))) drawEarbuds(sheet, attributes)
    else drawHeadset(sheet, attributes)
    drawConnection(sheet, attributes)
  },
}

function drawEarbuds(sheet: Sheet, attributes: Attributes) {
  sheet.tinted(attributes.colours[0], (classes) =>
    sheet.circles(classes, [
      [70, 60, 24],
      [150, 60, 24],
    ]),
  )
  sheet
    .circles('f', [
      [70, 60, 24],
      [150, 60, 24],
    ])
    .circles('c f', [
      [92, 52, 10],
      [128, 52, 10],
    ])
  sheet.path('', [
    ['M', 70, 84],
    ['C', 70, 130, 105, 120, 110, 150],
    ['M', 150, 84],
    ['C', 150, 130, 115, 120, 110, 150],
  ])
  if (attributes.is('has_microphone')) sheet.rect('c f', 64, 96, 9, 24, 4)
}

function drawHeadset(sheet: Sheet, attributes: Attributes) {
  const cups = attributes.text('ear_cup_type')
  const back = attributes.text('headphone_type')
  const isOver = /over/i.test(cups)
  const [main] = attributes.colours
  const radius = /on-ear/i.test(cups) ? 27 : 38
  const y = 118
  sheet.path('b', [
    ['M', 48, y - radius],
    ['C', 48, 6, 182, 6, 182, y - radius],
  ])
  sheet.path('t', [
    ['M', 62, y - radius],
    ['C', 62, 30, 168, 30, 168, y - radius],
  ])
  for (const x of [44, 186]) {
    const cup = (classes: string) => sheet.rect(classes, x - radius * 0.72, y - radius, radius * 1.44, radius * 2, radius * 0.6)
    sheet.tinted(main, cup)
    cup('f')
    if (isOver || cups === '')
      sheet.rect(isOver ? '' : 'u m', x - radius * 0.44, y - radius * 0.68, radius * 0.88, radius * 1.36, radius * 0.4)
    if (/open/i.test(back)) {
      const step = /semi/i.test(back) ? 12 : 7
      const rows = Math.floor((radius * 1.2) / step)
      sheet.lines(
        '',
        Array.from(
          { length: rows },
          (_, nth) => [x - radius * 0.3, y - radius * 0.56 + nth * step, x + radius * 0.3, y - radius * 0.56 + nth * step] as const,
        ),
      )
    } else if (/closed/i.test(back)) sheet.circle('c f', x, y, radius * 0.26)
    else sheet.circle('u m', x, y, radius * 0.26)
  }
  if (attributes.is('has_microphone'))
    sheet
      .path('', [
        ['M', 36, y + radius],
        ['C', 36, y + radius + 32, 70, y + radius + 32, 92, y + radius + 24],
      ])
      .rect('c f', 90, y + radius + 18, 22, 11, 5)
  const light = attributes.light('lighting')
  for (const x of [44, 186]) lightRing(sheet, light, [x, y], radius * 0.4)
}

function drawConnection(sheet: Sheet, attributes: Attributes) {
  const connections = attributes.texts('connection_types').join(' ')
  if (/wired|usb/i.test(connections))
    sheet
      .path('', [
        ['M', 186, 158],
        ['C', 190, 190, 210, 170, 214, 188],
      ])
      .rect(/usb/i.test(connections) ? 'c f' : 'g f', 209, 186, 10, 14)
  if (/wireless/i.test(connections)) radioWaves(sheet, [218, 40])
  if (/bluetooth/i.test(connections)) bluetoothSign(sheet, [212, 56])
  const channels = attributes.text('channels')
  sheet.text(channels, [115, 60], { height: 20, width: 60 })
}
