/**
 * By kind and key: the least and the most that a part of the kind can measure, in the unit of the attribute. Drawings take what is outside
 * as not known, and `npm run data:check` names it. Wider than anything that is sold: a limit is for errors, not for rare parts, such as
 * a noise in sones, which is below what is measured in dB.
 */
export const plausibleSizes: Record<string, Record<string, readonly [least: number, most: number]>> = {
  'video-card': { length_mm: [60, 450], slots: [1, 6], slots_exact: [0.8, 6], fan_count: [0, 4] },
  motherboard: { memory_slots: [1, 32], m2_count: [0, 16], sata_6gbs: [0, 20] },
  memory: { modules: [1, 16], height_mm: [14, 80], module_gb: [0.06, 1024] },
  storage: { capacity_gb: [1, 100_000], rpm: [3000, 20_000], pcie_gen: [1, 9], cache_mb: [1, 65_536] },
  'cpu-cooler': { height_mm: [15, 200], radiator_mm: [80, 560], fan_mm: [40, 200], fans: [0, 4], noise_db_max: [5, 90] },
  'case-fan': { size_mm: [20, 450], quantity: [1, 10], noise_db: [5, 90], max_noise_level: [5, 90] },
  case: { volume_l: [1.5, 300], expansion_slots: [0, 12], bays_35: [0, 20], bays_25: [0, 30], max_gpu_mm: [60, 700] },
  'power-supply': { length_mm: [60, 300], wattage_w: [50, 3500] },
  monitor: { size_in: [5, 110] },
  cpu: { cores: [1, 256], p_cores: [1, 128], e_cores: [0, 256] },
  'network-card': { ports: [1, 52] },
  'thermal-paste': { weight_g: [0.1, 500], length_mm: [5, 500], width_mm: [5, 500], thickness_mm: [0.1, 20] },
  speakers: { power_w: [0.5, 5000] },
}

/** Litres of the smallest case that takes a board: less than the board with its cards and a power supply needs is an error. */
export const leastLitresForBoard: Record<string, number> = { EATX: 15, ATX: 8, 'Micro ATX': 5, 'Mini-ITX': 1.5 }
