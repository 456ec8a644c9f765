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
  const slots = (...sizes: [size: string, key: string][]) => board({ m2_slots: sizes.map(([size, key]) => ({ size, key })) })
  assert.equal(board({}), slots(['2260-2280', 'M'], ['2280', 'M']))
  assert.notEqual(board({}), slots(['2280', 'M'], ['2230-2242', 'M']), 'a short slot is drawn short')
  assert.notEqual(slots(['2280', 'M'], ['2230-2242', 'M']), slots(['2280', 'M'], ['2230', 'E']), 'one for Wi-Fi is shorter still')
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

const dashed = (drawing: string) => count(drawing, /class="[^"]*\bu\b/g)
const knownBoard = {
  form_factor: 'ATX',
  socket: 'AM5',
  memory_slots: 4,
  m2_count: 2,
  sata_6gbs: 4,
  pcie_slots: [{ lanes: 16, quantity: 1 }],
}
const supply = {
  form_factor: 'ATX',
  length_mm: 150,
  wattage_w: 750,
  fanless: false,
  modular: 'Full',
  connectors: { eps_8_pin: 2, sata: 8 },
}

test('what is not known is dashed, also in small drawings, and what is known to be missing is not drawn', () => {
  for (const [category, specs, key, nones] of [
    ['video-card', { ...card, power_connectors: { pcie_8_pin: 1 } }, 'outputs', [{}, [], { vga: 0 }, 'None', false]],
    ['video-card', { ...card, power_connectors: { pcie_8_pin: 1 } }, 'power_connectors', [{}, [], 'No', false]],
    [
      'motherboard',
      { ...knownBoard, cpu_power: ['8-pin'], ethernet: [{ speed: '1 Gb/s' }], wifi: 'Wi-Fi 7' },
      'wifi',
      [false, 'None', 'No Wi-Fi'],
    ],
    [
      'motherboard',
      { ...knownBoard, cpu_power: ['8-pin'], ethernet: [{ speed: '1 Gb/s' }], wifi: 'Wi-Fi 7' },
      'ethernet',
      [[], 'None', false],
    ],
    ['motherboard', { ...knownBoard, cpu_power: ['8-pin'], ethernet: [], wifi: false }, 'cpu_power', [[], ['None']]],
    ['motherboard', { ...knownBoard, cpu_power: ['8-pin'], ethernet: [], wifi: false }, 'pcie_slots', [[], 'None']],
    ['power-supply', supply, 'modular', ['No', 'Non-Modular', false]],
    ['power-supply', supply, 'connectors', [{}, { sata: 0 }, 'None']],
    ['power-supply', { ...supply, modular: 'Semi-Modular' }, 'connectors', [{}, { sata: 0 }, 'None']],
  ] as const)
    for (const size of ['small', 'large'] as const) {
      const drawWith = (value: unknown) => draw(category, { ...specs, [key]: value }, { size })
      const unknown = drawWith(undefined)
      const stated = draw(category, specs, { size })
      const [first, ...others] = nones.map(drawWith)
      assert.equal(dashed(unknown), dashed(stated) + 1, `${category} without ${key}, ${size}`)
      assert.equal(dashed(first ?? ''), dashed(stated), `${category} of which ${key} is none, ${size}`)
      if (size === 'large') assert.notEqual(first, stated, `${category} of which ${key} is none`)
      for (const [nth, other] of others.entries()) assert.equal(other, first, `${key}: ${JSON.stringify(nones[nth + 1])}`)
      for (const silent of [null, '', 'Unknown', ['unknown'], -1])
        assert.equal(drawWith(silent), unknown, `${key}: ${JSON.stringify(silent)} says nothing`)
    }
})

test('what is counted or listed in a text is drawn as in an object', () => {
  for (const [category, specs, said] of [
    ['video-card', card, { outputs: [{ hdmi: 2, vga: 1 }, '2 x HDMI, 1 x VGA', ['HDMI', 'hdmi', 'VGA']] }],
    ['video-card', card, { outputs: [{ hdmi_2_1: 1, displayport_1_4a: 3 }, '1 x HDMI 2.1, 3 x DisplayPort 1.4a'] }],
    ['video-card', card, { power_connectors: [{ pcie_8_pin: 2, pcie_6_pin: 1 }, '2 x 8-pin, 6-pin', '2 x PCIe 6+2-pin, 1 x PCIe 6-pin'] }],
    ['video-card', card, { power_connectors: [{ pcie_12VHPWR: 1 }, '12VHPWR', '1 x 12V-2x6', '16-pin'] }],
    [
      'power-supply',
      supply,
      {
        connectors: [
          { atx_24_pin: 1, eps_8_pin: 2, pcie_6_plus_2_pin: 2, pcie_12v_2x6: 1, sata: 8 },
          'ATX 24-pin, 2 x EPS 8-pin, 2 x PCIe 6+2-pin, 12V-2x6, 8 x SATA',
        ],
      },
    ],
    ['motherboard', knownBoard, { ethernet: [[{ speed: '2.5 Gb/s' }, { speed: '1 Gb/s' }], ['2.5 Gb/s', '1 Gb/s'], '2 x 2.5 Gb/s'] }],
  ] as const)
    for (const [key, values] of Object.entries(said)) {
      const [first = '', ...others] = values.map((value: unknown) => draw(category, { ...specs, [key]: value }))
      assert.notEqual(first, draw(category, { ...specs, [key]: [] }), `${key} is drawn`)
      for (const [nth, other] of others.entries()) assert.equal(other, first, `${key}: ${JSON.stringify(values[nth + 1])}`)
    }
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
  const short = { form_factor: 'M.2 2230' }
  assert.deepEqual(texts(drawDrive(short, undefined, { beside: 'coin' })), [], 'beside a thing there is no room above it')
  assert.deepEqual(texts(drawDrive(short, undefined, { span: 34 })), [], 'nor where the part fills the picture')
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

const nameOf = (category: string, name: string, specs: Record<string, unknown> = {}, options?: DrawingOptions) =>
  drawProduct({ category, specs, name, brand: 'Maker' }, options)

test('a cooler shows its lights, its screen and its maker, a fan its hub and the turn of its blades, also in small drawings', () => {
  const small = { size: 'small' } as const
  const water = { water_cooled: true, radiator_mm: 360, fans: 3, color: ['BLACK'] }
  const rings = (name: string, specs: object = {}) => count(nameOf('cpu-cooler', name, { ...water, ...specs }, small), /class="red-light"/g)
  assert.deepEqual([rings('Maker Liquid 360'), rings('Maker Liquid 360 A-RGB'), rings('Maker Liquid 360 non-RGB')], [0, 3, 0])
  assert.equal(rings('Maker Liquid 360', { color: ['BLACK', 'RGB'] }), 3)
  assert.notEqual(nameOf('cpu-cooler', 'Maker Liquid 360 LCD', water, small), nameOf('cpu-cooler', 'Maker Liquid 360', water, small))
  assert.deepEqual(texts(nameOf('cpu-cooler', 'Maker Liquid 360', water, small)), ['Maker'])
  const air = { water_cooled: false, height_mm: 155, fans: 2 }
  assert.equal(count(nameOf('cpu-cooler', 'Maker Tower ARGB', air, small), /class="red-light"/g), 2)

  const fan = { size_mm: 120, quantity: 1, connector: '4-pin PWM' }
  const drawFan = (name: string, specs: object = {}, options?: DrawingOptions) => nameOf('case-fan', name, { ...fan, ...specs }, options)
  assert.deepEqual(texts(drawFan('Maker F120')), ['Maker'])
  assert.deepEqual(texts(drawFan('Maker F120', { quantity: 3 }, small)), ['3 x'])
  assert.deepEqual(texts(drawFan('Maker F120 LCD')), [], 'the screen covers the hub')
  assert.notEqual(drawFan('Maker F120', { flow_direction: 'Reverse' }, small), drawFan('Maker F120', {}, small))
  assert.equal(
    drawFan('Maker F120 RGB', { lighting: ['None'] }),
    drawFan('Maker F120', { lighting: ['None'] }),
    'attributes come before names',
  )
})

test('a keyboard shows its blocks of keys, the colour of its switches, its plug, and the layout that its name tells where no attribute does', () => {
  const small = { size: 'small' } as const
  const draws = (specs: object, name = 'Maker K1') => nameOf('keyboard', name, { connectivity: ['Wired'], ...specs }, small)
  const layouts = ['Full Size', '96%', 'TKL (80%)', '75%', '65%', '60%', 'Numpad'].map((size_mm) => draws({ size_mm }))
  assert.equal(new Set(layouts).size, layouts.length)
  const blocksOf = (drawing: string | undefined) => count(/<path class="s" d="([^"]*)"/.exec(drawing ?? '')?.[1] ?? '', /M/g)
  assert.deepEqual(layouts.map(blocksOf), [6, 3, 5, 2, 1, 1, 1])
  assert.equal(draws({}, 'Maker K1 87 Keys'), draws({ size_mm: 'TKL (80%)' }))
  assert.equal(draws({}, 'Maker K1 100% Anti-ghosting'), draws({}), 'no layout')
  assert.notEqual(draws({}, 'Maker K1 Mini'), draws({}), 'a mini keyboard has no numeric block')
  const stems = ['Cherry MX Blue', 'Cherry MX Red', 'Silent Linear'].map((one) => draws({ switch: one }))
  assert.equal(new Set(stems).size, 3)
  assert.equal(draws({ switch: 'Membrane' }), draws({}), 'a membrane has no switches')
  assert.notEqual(draws({ connectivity: ['Wired USB-C'] }), draws({ connectivity: ['Wired USB-A'] }))
})

test('a keyboard shines in the colours that its attributes tell, and not at all where they tell none', () => {
  const lightsOf = (specs: object) =>
    [...draw('keyboard', { size_mm: '75%', ...specs }).matchAll(/class="(\w+)-light"/g)].map(([, tone]) => tone)
  const rainbow = ['red', 'green', 'blue']
  for (const [specs, tones] of [
    [{ backlighting: 'No RGB' }, []],
    [{ backlighting: 'Non-RGB', lighting: ['None'] }, []],
    [{}, []],
    [{ backlighting: 'RGB' }, rainbow],
    [{ lighting: ['ARGB', 'RGB'] }, rainbow],
    [{ backlighting: 'Single Color' }, ['white']],
    [{ backlighting: 'Blue' }, ['blue']],
  ] as const)
    assert.deepEqual(lightsOf(specs), tones, JSON.stringify(specs))
})

test('the colour at the end of a name is that of the part, unless an attribute tells it or it is of switches or lights', () => {
  const keyboard = (name: string, specs = {}) => nameOf('keyboard', name, { size_mm: '75%', ...specs })
  assert.ok(keyboard('Maker K1 - Pink').includes('class="n pink"'))
  assert.ok(keyboard('Maker K1 Space Gray').includes('class="n grey"'))
  for (const name of ['Maker X Superlight White', 'Maker Voice White'])
    assert.ok(nameOf('mouse', name, {}).includes('class="n white"'), name)
  for (const name of [
    'Maker K1 Cherry MX Red',
    'Maker K1 Kailh Blue',
    'Maker K1 Ice Blue Backlit',
    'Maker Pink Keyboard',
    'Maker K1 Blackred',
    'Maker One 3 Silent Red',
    'Maker K8 Red',
  ])
    assert.doesNotMatch(keyboard(name), /class="n (red|blue|pink|black)"/, name)
  assert.ok(nameOf('keyboard', 'Maker K1 White', { size_mm: '75%', color: ['BLACK'] }).includes('class="n black"'))
  const cooler = nameOf('cpu-cooler', 'Maker Freezer 33 Black/Red', { height_mm: 150, water_cooled: false })
  assert.ok(cooler.includes('class="n black"') && cooler.includes('class="n red"'))
  for (const category of ['power-supply', 'case-fan'])
    assert.doesNotMatch(nameOf(category, 'Maker RM850x, 850 W, Gold', { wattage_w: 850, size_mm: 120 }), /class="n gold"/)
})

test('the capacity and the speed of memory can be read in small drawings, too', () => {
  const kit = { form_factor: 'DIMM', memory_type: 'DDR5', modules: 2, module_gb: 16, speed_mts: 6000, heat_spreader: true, height_mm: 42 }
  assert.deepEqual(texts(draw('memory', kit, { size: 'small' })), ['16GB 6000', '16GB 6000'])
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
