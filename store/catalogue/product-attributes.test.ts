import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  attributeNumber,
  categoryOption,
  countEach,
  facetValues,
  formatAttribute,
  formatAttributeChoice,
  productAttributes,
} from './product-attributes.ts'

const said = (category: string | null, specs: Record<string, unknown>) =>
  Object.fromEntries(productAttributes({ category, specs, price: 40 }).map(({ label, text }) => [label, text]))

test('numbers are said with their unit and grouped digits', () => {
  assert.deepEqual(said('storage', { capacity_gb: 18000, read_mbs: 7450.5 }), {
    Capacity: '18,000 GB',
    'Reading speed': '7,450.5 MB/s',
    'Price per GB': '$0.00222',
  })
  assert.deepEqual(said('case-fan', { static_pressure: 2.4, noise_db: 0 }), { Noise: '0 dB', 'Static pressure': '2.4 mmH2O' })
})

test('what is not known is left out, and never zero', () => {
  const unknown = { memory_type: null, height_mm: -1, timings: '', color: [], voltage: Number.NaN, form_factor: 'Unknown', ecc: undefined }
  assert.deepEqual(said('memory', unknown), {})
  assert.deepEqual(said('video-card', { outputs: {}, power_connectors: { pcie_8_pin: 0 } }), {})
  assert.equal(formatAttribute({ key: 'temp_min_c', label: '', unit: '°C' }, -30), '-30 °C')
})

test('yes, no, lists and resolutions are words', () => {
  assert.deepEqual(said('monitor', { resolution: [1920, 1080], color: ['BLACK', 'GREY'] }), {
    Resolution: '1920 x 1080',
    Colour: 'Black, Grey',
  })
  assert.deepEqual(said('case-fan', { pwm: true, isOEM: false, color: ['WHITE', 'ARGB'] }), {
    'PWM speed control': 'Yes',
    'Without retail box (OEM)': 'No',
    Colour: 'White, ARGB',
  })
  assert.deepEqual(said('crimper', { dies_mm: [1, 1.4, 1.6] }), { Dies: '1, 1.4, 1.6 mm' })
  assert.deepEqual(said('motherboard', { cpu_power: ['8-pin', '8-pin'] }), { 'Processor power connectors': '2 x 8-pin' })
})

test('objects and lists of objects are said as one would say them', () => {
  assert.deepEqual(
    said('video-card', {
      outputs: { hdmi_2_1: 1, displayport_1_4a: 3, displayport_2_1_b: 2, dvi_d: 1, vga: 1, usb_c: 1 },
      power_connectors: { pcie_8_pin: 2, pcie_12VHPWR: 1, pcie_12V_2x6: 1 },
    }),
    {
      'Power connectors': '2 x PCIe 8-pin, 1 x 12VHPWR, 1 x 12V-2x6',
      'Display outputs': '1 x HDMI 2.1, 3 x DisplayPort 1.4a, 2 x DisplayPort 2.1b, 1 x DVI-D, 1 x VGA, 1 x USB-C',
    },
  )
  assert.deepEqual(said('power-supply', { connectors: { atx_24_pin: 1, pcie_6_plus_2_pin: 4, sata: 8, molex_4_pin: 4 } }), {
    Connectors: '1 x ATX 24-pin, 4 x PCIe 6+2-pin, 8 x SATA, 4 x Molex 4-pin',
  })
  const slot = { size: '2280', key: 'M', interface: 'PCIe 4.0 x4' }
  assert.deepEqual(
    said('motherboard', {
      m2_slots: [slot, { size: '2242-2260', key: 'M', interface: 'PCIe 4.0 x4' }, slot, { size: null, key: 'E', interface: 'PCIe' }],
      pcie_slots: [
        { gen: '4.0', quantity: 1, lanes: 16 },
        { gen: null, quantity: 2, lanes: 1 },
        { gen: '3.0', quantity: 0, lanes: 4 },
      ],
      ethernet: [
        { speed: '1 Gb/s', controller: 'Unknown' },
        { speed: '2.5 Gb/s', controller: 'Intel I226-V' },
      ],
    }),
    {
      'M.2 slots': '2 x 2280 (M key, PCIe 4.0 x4), 1 x 2242-2260 (M key, PCIe 4.0 x4), 1 x (E key, PCIe)',
      'PCIe slots': '1 x PCIe 4.0 x16, 2 x PCIe x1',
      Ethernet: '1 Gb/s, 2.5 Gb/s (Intel I226-V)',
    },
  )
  assert.deepEqual(said('mouse', { dimensions: { height: 40.5, length: 124.6, width: 63.5 } }), {
    Dimensions: '124.6 x 63.5 x 40.5 mm (length x width x height)',
  })
  assert.deepEqual(said('case', { dimensions_mm: '428 x 210 x 460', front_usb: 'USB 3.2 Gen 1 Type-AUSB 2.0 Type-A' }), {
    'Front USB': 'USB 3.2 Gen 1 Type-A, USB 2.0 Type-A',
    Dimensions: '428 x 210 x 460 mm',
  })
})

test('what no category defines is shown under a name made from its key, after what is defined', () => {
  const specs = { cable_length_mm: 1200, odd: { deep: ['a', 'b'] }, chipset: 'GeForce RTX 4070' }
  assert.deepEqual(productAttributes({ category: 'video-card', specs, price: 40 }), [
    { key: 'chipset', label: 'Graphics processor', text: 'GeForce RTX 4070', group: 'Performance' },
    { key: 'cable_length_mm', label: 'Cable length', text: '1,200 mm' },
    { key: 'odd', label: 'Odd', text: 'Deep a, b' },
  ])
  assert.deepEqual(said(null, { chipset: 'B650' }), { Chipset: 'B650' })
})

test('a category is called what the catalogue calls it, by whichever key a part came in', () => {
  assert.deepEqual(categoryOption('graphics-card'), { value: 'video-card', label: 'Graphics cards' })
  assert.deepEqual(categoryOption('odd-things'), { value: 'odd-things', label: 'Odd things' })
  assert.equal(categoryOption(null), null)
})

test('a resolution is one choice, a list of sockets several', () => {
  assert.deepEqual(facetValues({ key: 'resolution' }, [1920, 1080]), ['1920 x 1080'])
  assert.deepEqual(facetValues({ key: 'sockets' }, ['AM4', ' AM5', null]), ['AM4', 'AM5'])
  assert.deepEqual(facetValues({ key: 'ecc' }, true), ['Yes'])
  assert.deepEqual(facetValues({ key: 'fits' }, { hdmi: 1 }), [])
  assert.deepEqual(facetValues({ key: 'outputs', counted: true }, { hdmi_2_1: 2, vga: 0 }), ['hdmi_2_1'])
  assert.deepEqual(facetValues({ key: 'connectors', counted: true }, '2 x HDMI, 1 x VGA'), ['HDMI', 'VGA'])
  assert.deepEqual(facetValues({ key: 'ethernet' }, [{ speed: '2.5 Gb/s', controller: 'Realtek' }]), ['2.5 Gb/s'])
})

test('what is counted is counted the same way in an object, a text and a list', () => {
  const counted = [{ hdmi: 2, vga: 1, dvi_d: 0 }, '2 x HDMI, VGA', ['HDMI', 'hdmi', '1 x VGA']].map(countEach)
  assert.deepEqual(counted.map(Object.fromEntries), Array(3).fill({ hdmi: 2, vga: 1 }))
})

test('a number that a product does not state is that of the attribute that stands for it, and the name of a plug has capitals of its own', () => {
  const noise = { key: 'max_noise_level', unit: 'dB', orElse: 'noise_db' }
  assert.equal(attributeNumber(noise, { price: 1, specs: { noise_db: 5, max_noise_level: 33 } }), 33)
  assert.equal(attributeNumber(noise, { price: 1, specs: { noise_db: 27.2 } }), 27.2)
  assert.equal(attributeNumber(noise, { price: 1, specs: { noise_db: 27.2, max_noise_level: -1 } }), 27.2)
  assert.equal(attributeNumber(noise, { price: 1, specs: {} }), undefined)
  assert.equal(formatAttributeChoice({ key: 'power_connectors', counted: true }, 'pcie_12VHPWR'), '12VHPWR')
})
