import type { Attributes } from '../attributes.ts'
import type { Sheet } from '../sheet.ts'
import { cardWith } from './expansion-card.ts'
import type { Kind } from './kind.ts'

/** What connects computers: a card, unless its kind or its form says that it is another thing. */
export function networkPart(attributes: Attributes): Kind {
  if (/switch|router|access point/i.test(attributes.text('kind'))) return networkBox
  return m2Size(attributes) ? m2Module : networkCard
}

const speedText = (mbps: number | undefined) => (mbps === undefined ? '' : mbps >= 1000 ? `${mbps / 1000} Gb/s` : `${mbps} Mb/s`)

const networkCard = cardWith((attributes) => ({
  count: attributes.count('ports', 5),
  draw: drawSocket,
  label: speedText(attributes.number('speed_mbps')),
}))

/** From the side, behind the bracket of a card. */
const drawSocket = (sheet: Sheet, y: number) => sheet.rect('f', 0, y, 22, 13, 1).rect('c f', 4, y + 3, 10, 7)

/** mm: a socket with the wall beside it, and the box around the sockets. */
const socket = { width: 14, height: 12, step: 17 }
const box = { side: 14, top: 14, bottom: 8, unknownWidth: 150 }
const socketsInOneRow = 10
const aerial = 70

/** A switch, a router or an access point, from where its sockets are. What makes a network of the air has aerials. */
const networkBox: Kind = {
  span: { width: 240, height: 150 },
  draw(sheet, attributes) {
    const ports = attributes.count('ports', 52)
    const rows = ports !== undefined && ports > socketsInOneRow ? 2 : 1
    const columns = Math.ceil((ports ?? 0) / rows)
    const top = attributes.has('wifi') ? aerial : 0
    const width = ports === undefined ? box.unknownWidth : Math.max(columns * socket.step + box.side * 2, 80)
    const height = box.top + rows * (socket.height + 3) + box.bottom
    if (top > 0)
      sheet.rects('f', [
        [8, 0, 8, top],
        [width - 16, 0, 8, top],
      ])
    sheet.rect(ports === undefined ? 'u' : 'f', 0, top, width, height, 4)
    sheet.rects('d', [
      [12, top + height, 14, 3],
      [width - 26, top + height, 14, 3],
    ])
    const first = (width - columns * socket.step) / 2
    const sockets = Array.from({ length: ports ?? 0 }, (_, nth) => {
      const [column, row] = [nth % columns, Math.floor(nth / columns)]
      return [first + column * socket.step, top + box.top + row * (socket.height + 3), socket.width, socket.height] as const
    })
    // the first socket of a router is the way out
    const isRouter = /router/i.test(attributes.text('kind'))
    sheet.rects('f', isRouter ? sockets.slice(1) : sockets).rects('c f', isRouter ? sockets.slice(0, 1) : [])
    sheet.rects(
      'd n',
      sockets.map(([x, y]) => [x + 4, y + socket.height - 3, socket.width - 8, 3]),
    )
    sheet.text(speedText(attributes.number('speed_mbps')), [width / 2, top + 7], { height: 11, width: width * 0.6 })
    if (attributes.is('managed')) sheet.rect('c', width - 12, top + 4, 8, 5, 1)
  },
}

const m2Size = (attributes: Attributes) => /^M\.2[ -](12|16|22|30)(1[6-9]|[2-9]\d|1\d\d)\b/.exec(attributes.text('form_factor'))

/** A radio module for an M.2 slot, lying, with the contacts at its left and the sockets of its aerials at its right. */
const m2Module: Kind = {
  span: { width: 60, height: 40 },
  draw(sheet, attributes) {
    const [, wide, long] = (m2Size(attributes) ?? []).map(Number)
    const [width, length] = [wide ?? 22, long ?? 30]
    sheet.rect('f', 0, 0, length, width, 1)
    sheet.lines(
      't g',
      Array.from({ length: Math.floor(width) - 1 }, (_, nth) => [0.5, nth + 1, 3.5, nth + 1] as const),
    )
    sheet.rect('n d', 0, width * 0.7, 3.5, 1.6)
    sheet.rect('f', 6, width * 0.16, length - 14, width * 0.68, 1)
    sheet.text(attributes.text('wifi'), [6 + (length - 14) / 2, width / 2], { height: 4, width: length - 15 })
    if (attributes.has('wifi') || attributes.is('bluetooth'))
      sheet.circles('g f', [
        [length - 4, width * 0.25, 1.8],
        [length - 4, width * 0.75, 1.8],
      ])
    sheet.dimension({ side: 'bottom', from: 0, to: length, text: `${length} mm` })
    sheet.dimension({ side: 'right', from: 0, to: width, text: `${width} mm` })
  },
}
