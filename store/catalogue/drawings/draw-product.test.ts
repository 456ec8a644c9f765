import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonSpan, type DrawingOptions, describeDrawing, drawingSize, drawProduct } from './draw-product.ts'

const card = { length_mm: 300, slots: 2, cooling: '2 Fans', fan_count: 2, outputs: { hdmi_2_1: 1, displayport_1_4a: 3 } }
const draw = (category: string, specs: Record<string, unknown>, options?: DrawingOptions) => drawProduct({ category, specs }, options)
const count = (drawing: string, pattern: RegExp) => [...drawing.matchAll(pattern)].length
/** Of the text in the drawing. */
const texts = (drawing: string) => [...drawing.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)

test('a drawing shows what is told of the part: its fans, its slots, its memory, its cores', () => {
  const fansOf = (specs: object) => count(draw('video-card', { ...card, ...specs }), /<circle class="c f"/g)
  assert.deepEqual(
    [fansOf({ fan_count: 1 }), fansOf({}), fansOf({ fan_count: 3 }), fansOf({ cooling: 'Passive', fan_count: 0 })],
    [1, 2, 3, 0],
  )
  const board = (specs: object) => draw('motherboard', { form_factor: 'ATX', socket: 'AM5', memory_slots: 4, m2_count: 2, ...specs })
  assert.notEqual(board({}), board({ memory_slots: 2 }))
  assert.notEqual(board({}), board({ m2_count: 3 }))
  assert.notEqual(board({}), board({ wifi: 'Wi-Fi 7' }))
  assert.notEqual(board({}), board({ socket: 'LGA1700' }))
  assert.ok(texts(draw('cpu', { socket: 'AM5', cores: 8 })).includes('8 cores'))
  assert.ok(texts(draw('storage', { form_factor: 'M.2 2280', type: 'SSD', capacity_gb: 2000 })).includes('2 TB'))
})

test('parts are drawn to scale: their lengths stand to each other as in millimetres', () => {
  const widthOf = (length_mm: number) => drawingSize({ category: 'video-card', specs: { ...card, length_mm } }).width
  assert.equal(widthOf(320) - widthOf(200), 120)
  const face = (length_mm: number) =>
    Number(
      /<rect class="f" x="[\d.]+" y="[\d.]+" width="([\d.]+)" height="[\d.]+" rx="[\d.]+"\/><rect class="f"/.exec(
        draw('video-card', { ...card, outputs: {}, length_mm }, { span: 500 }),
      )?.[1],
    )
  assert.ok(Math.abs(face(300) / face(150) - 2) < 0.01, `${face(300)} and ${face(150)}`)
})

test('the large drawing says the known lengths, and of the others that they are not known, with a dashed line', () => {
  assert.deepEqual(texts(draw('video-card', card, { size: 'large' })), ['300 mm', '2 slots'])
  const unknown = draw('video-card', { cooling: '2 Fans' }, { size: 'large' })
  assert.deepEqual(texts(unknown), ['not known', 'not known'])
  assert.ok(count(unknown, /class="[^"]*\bu\b/g) > count(draw('video-card', card, { size: 'large' }), /class="[^"]*\bu\b/g))
  assert.deepEqual(describeDrawing({ category: 'video-card', specs: card }), {
    dimensions: ['300 mm', '2 slots'],
    beside: ['hand', 'board'],
  })
  assert.deepEqual(describeDrawing({ category: 'video-card', specs: {} }), { dimensions: [], beside: [] })
  assert.equal(describeDrawing({ category: 'tool', specs: {} }), null)
})

test('a size that no part can have counts as not known', () => {
  for (const [category, specs, plausible] of [
    ['video-card', { ...card, length_mm: 6000 }, { ...card, length_mm: undefined }],
    ['case-fan', { size_mm: 0, quantity: 1 }, { quantity: 1 }],
    [
      'case',
      { form_factor: 'ATX Full Tower', dimensions_mm: '100 x 100 x 200', motherboard_form_factors: ['EATX'] },
      { form_factor: 'ATX Full Tower', motherboard_form_factors: ['EATX'] },
    ],
  ] as const)
    assert.equal(draw(category, specs, { size: 'large' }), draw(category, plausible, { size: 'large' }), category)
})

test('what is not said is not drawn as if it were: no graphics, no light, no width of a module of unknown form', () => {
  for (const igpu of [false, 'None', '', undefined])
    assert.equal(draw('cpu', { socket: 'AM5', cores: 8, igpu }), draw('cpu', { socket: 'AM5', cores: 8 }), `${igpu}`)
  assert.deepEqual(describeDrawing({ category: 'memory', specs: {} }), { dimensions: [], beside: [] })
  const fan = (specs: object) => draw('case-fan', { size_mm: 120, quantity: 1, ...specs })
  assert.equal(fan({ led: 'Non-RGB' }), fan({}))
  assert.notEqual(fan({ color: ['White / Black'] }), fan({ color: ['Black / White'] }))
  assert.equal(fan({ color: ['Silver'] }), fan({ color: ['GREY'] }))
  assert.deepEqual(describeDrawing({ category: 'storage', specs: { form_factor: 'M.2 99999' } }), { dimensions: [], beside: [] })
})

/** Names as shops write them, of a drive with these specs. */
const drawDrive = (specs: object, name?: string, options?: DrawingOptions) =>
  drawProduct({ category: 'storage', specs: { ...m2, ...specs }, ...(name && { name, brand: 'Samsung' }) }, options)
const m2 = { form_factor: 'M.2 2280', type: 'SSD', interface: 'M.2 PCIe 4.0 x4', nvme: true, pcie_gen: 4, capacity_gb: 2000 }

test('a drive is told by its label, also in a small drawing: its series, its capacity, its generation of PCIe, or SATA', () => {
  const name = 'Samsung 990 EVO Plus 2TB SSD M.2-2280 PCIe 4.0 x4 NVMe'
  const options = { size: 'small' } as const
  assert.deepEqual(texts(drawDrive({}, name, options)), ['990 EVO', 'Plus', '2 TB PCIe 4.0'])
  assert.deepEqual(texts(drawDrive({ pcie_gen: 5, capacity_gb: 500 }, undefined, options)), ['500 GB PCIe 5.0'])
  assert.deepEqual(texts(drawDrive({ nvme: false, pcie_gen: undefined, interface: 'M.2 SATA' }, undefined, options)), ['2 TB SATA'])
  const disk = { form_factor: '3.5"', type: 'HDD', interface: 'SATA 6.0 Gb/s', nvme: false, rpm: 7200, cache_mb: 256, capacity_gb: 16000 }
  assert.deepEqual(texts(drawDrive(disk, 'Samsung IronWolf 16TB HDD 7200RPM 3.5" SATA 6.0 Gb/s')), [
    'IronWolf',
    '16 TB',
    '7200 rpm',
    'SATA 6 Gb/s 256 MB',
  ])
  const { rpm: _, cache_mb: __, ...less } = disk
  assert.deepEqual(texts(drawProduct({ category: 'storage', specs: less })), ['16 TB', 'SATA 6 Gb/s'], 'what is not known is not written')
})

test('a drive has the notches and plugs of its interface: key M, keys B and M, SATA, SAS, U.2, PATA, or as many lanes as its card has', () => {
  const contactsOf = (specs: object) => count(drawDrive(specs), /<rect class="g d"/g)
  assert.deepEqual([contactsOf({}), contactsOf({ nvme: false, interface: 'M.2 SATA' })], [2, 3])
  const boxes = ['SATA 6.0 Gb/s', 'SAS 12.0 Gb/s', 'U.2', 'PATA 100'].map((one) => {
    const drawing = drawDrive({ form_factor: '2.5"', nvme: one === 'U.2', interface: one, pcie_gen: undefined })
    return drawing.replaceAll(/<text.*?<\/text>/g, '')
  })
  assert.equal(new Set(boxes).size, 4)
  const cards = ['x4', 'x8', 'x16'].map((lanes) => drawDrive({ form_factor: 'PCIe', interface: `M.2 PCIe 3.0 ${lanes}` }))
  assert.equal(new Set(cards).size, 3)
})

test('a heat sink is drawn on a drive only where its attributes or its name say that there is one', () => {
  const plain = drawDrive({}, 'Samsung 990 Pro')
  const cooled = drawDrive({}, 'Samsung 990 Pro w/Heatsink')
  const hasFins = (drawing: string) => drawing.includes('<path class="m" d=')
  assert.deepEqual([hasFins(plain), hasFins(cooled)], [false, true])
  for (const words of ['with Heat Sink', '(w/ Heatsink)', 'HTSK', 'PCIe 4.0 NVMe W/HEATSINK 2TB'])
    assert.equal(drawDrive({}, `Samsung 990 Pro ${words}`), cooled, words)
  for (const words of ['without Heatsink', 'w/o heat sink', 'non-heatsink', 'heatsink-ready', 'heatsink not included'])
    assert.equal(hasFins(drawDrive({}, `Samsung 990 Pro ${words}`)), false, words)
  assert.equal(drawDrive({ heatsink: true }, 'Samsung 990 Pro'), cooled)
  assert.equal(drawDrive({ heatsink: false }, 'Samsung 990 Pro w/Heatsink'), plain)
})

test('text of a product stands in a drawing as text, never as markup', () => {
  const drawing = draw('keyboard', { size_mm: 'Full <script>alert(1)</script>' }, { size: 'large' })
  assert.match(drawing, /Full &#60;script/)
  assert.doesNotMatch(drawing, /<script/)
})

test('a known thing is drawn beside a part on its scale, and a small drawing leaves thin lines out', () => {
  const beside = draw('storage', { form_factor: 'M.2 2280', type: 'SSD' }, { size: 'large', beside: 'coin' })
  const [, radius] = /<g class="c"><circle class="f" cx="[\d.]+" cy="[\d.]+" r="([\d.]+)"/.exec(beside) ?? []
  const [, length] = /<rect class="f" x="[\d.]+" y="[\d.]+" width="([\d.]+)"/.exec(beside) ?? []
  assert.ok(Math.abs(Number(length) / (2 * Number(radius)) - 76 / 24) < 0.05, `${length} beside ${radius}`)
  assert.ok(draw('motherboard', { form_factor: 'ATX' }, { size: 'small' }).length < draw('motherboard', { form_factor: 'ATX' }).length)
})

test('several parts are seen whole on the scale of the largest, if all of them are drawn from their attributes', () => {
  const fan = (size_mm: number) => ({ category: 'case-fan', specs: { size_mm, quantity: 1 } })
  const span = commonSpan([fan(80), fan(200)])
  assert.ok(span && span >= 200, `${span}`)
  assert.equal(commonSpan([fan(80), { category: 'webcam', specs: {} }]), undefined)
})
