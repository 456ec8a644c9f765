import type { seededRandom } from './seeded-random.ts'

/** Keys that drawings read, of all kinds: each may hold anything. */
const keys = [
  ...['length_mm', 'slots', 'slots_exact', 'fan_count', 'cooling', 'outputs', 'power_connectors', 'color', 'form_factor', 'modules'],
  ...['height_mm', 'module_gb', 'memory_type', 'capacity_gb', 'rpm', 'type', 'nvme', 'radiator_mm', 'fan_mm', 'fans', 'water_cooled'],
  ...['size_mm', 'quantity', 'connector', 'led', 'dimensions_mm', 'volume_l', 'side_panel', 'expansion_slots', 'bays_35', 'front_usb'],
  ...['wattage_w', 'modular', 'connectors', 'size_in', 'aspect', 'resolution', 'curved', 'socket', 'cores', 'p_cores', 'e_cores'],
  ...['memory_slots', 'pcie_slots', 'm2_count', 'sata_6gbs', 'ethernet', 'wifi', 'dimensions', 'buttons', 'channels', 'kind', 'ports'],
  ...['interface', 'weight_g', 'motherboard_form_factors', 'connectivity', 'connection_types', 'features', 'tdp_w', 'base_ghz', 'max_dpi'],
]

const values: unknown[] = [
  [{ lanes: 16, quantity: -1 }],
  [{ lanes: 16, quantity: 1.5 }],
  ['USB'.repeat(21_000)],
  'USB '.repeat(16_000),
  Array(16_000).fill('White / Black'),
  'Full \u0001\uFFFE',
  'M.2 0000',
  'M.2 99999',
  ...[0, -1, 0.001, 1, 2, 3, 7, 64, 120, 1e6, 1e15, Number.MAX_VALUE, null, true, false, '', 'ATX', 'Mini-ITX', 'M.2 2280', '3.5"'],
  ...[
    'constructor',
    '__proto__',
    '<script>alert(1)</script>',
    '" onload="alert(1)',
    '9'.repeat(400),
    '0:0',
    '1:99',
    '16:9',
    '2 x LGA2011',
    '9 x AM5',
    'PCIe x16',
    '9.9',
  ],
  ...[[], ['BLACK', '<b>'], [1, 2, 3], { width: 0, height: -5, depth: 1e9 }, { hdmi_2_1: 1e9, '<x>': 5 }, [{ lanes: 16, quantity: 1e9 }]],
  ...[
    '428 x 210 x 460',
    '1 x 1 x 1',
    '600 x 9999 x 2',
    { width: 100, length: 120 },
    [{ gen: '4.0', lanes: -3, quantity: 2 }],
    ['8-pin', 5],
  ],
]

/** Attributes of a product as no product has them. */
export const arbitrarySpecs = ({ below }: ReturnType<typeof seededRandom>): Record<string, unknown> =>
  Object.fromEntries(keys.filter(() => below(3) > 0).map((key) => [key, values[below(values.length)]]))
