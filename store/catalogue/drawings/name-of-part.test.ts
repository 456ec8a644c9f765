import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesHeatSink } from '../heat-sink.ts'
import { inLines, seriesOfDrive } from './name-of-part.ts'

test('the series of a drive is what its name says besides its maker and its attributes', () => {
  for (const [brand, name, series] of [
    ['Samsung', 'Samsung 990 Pro w/Heatsink 2TB SSD M.2-2280 PCIe 4.0 NVMe', '990 Pro'],
    ['Seagate', 'Seagate IronWolf ST16000VN001 - hard drive - 16 TB - SATA 6Gb/s', 'IronWolf'],
    ['Western Digital', 'Western Digital WD Blue 1TB SSD 2.5" SATA 6.0 Gb/s', 'WD Blue'],
    ['Hitachi', 'Hitachi Ultrastar He10 10TB HDD 7200RPM 3.5" SATA', 'Ultrastar He10'],
    ['Seagate', 'Seagate FireCuda 4TB M.2-2280 SSD PCIe 4.0 NVMe 530R w/Heatsink', 'FireCuda 530R'],
    ['Silicon Power', 'Silicon Power 1TB NVMe PCIe Gen3 x4 M.2 2280 SSD (SU001TBP34A60M28SN)', ''],
    ['Crucial', 'Crucial MX500 1 TB SATA SSD, 2.5 in', 'MX500'],
    ['', 'A drive', 'A'],
  ] as const)
    assert.equal(seriesOfDrive(name, brand), series, name)
})

test('a name says that there is a heat sink, not that there could be one or is none', () => {
  for (const name of [
    'P5 Plus W/Heatsink 1TB',
    'Renegade with Heat Sink',
    'XLR8 (w/Heatsink)',
    'NVMe SSD-Heatsink 2TB',
    'Rocket HTSK',
    '990 Pro for PS5 with Heatsink',
  ])
    assert.ok(namesHeatSink(name), name)
  for (const name of [
    'P5 Plus',
    'P5 without heatsink',
    'P5 w/o Heat Sink',
    'P5 (no heatsink)',
    'P5 non-heatsink version',
    'P5 for laptops, fits under motherboard heatsinks',
    'P5 heatsink not included',
    'P5 heatsink-ready',
    'P5 heatsinkless',
    'P5 with heat spreader label',
  ])
    assert.equal(namesHeatSink(name), false, name)
})

test('a long text is broken at the space nearest to its middle', () => {
  assert.deepEqual(inLines('990 Pro', 10), ['990 Pro'])
  assert.deepEqual(inLines('FURY Renegade G5', 10), ['FURY', 'Renegade G5'])
  assert.deepEqual(inLines('35TTQNM2SATA', 10), ['35TTQNM2SATA'])
  assert.deepEqual(inLines('', 10), [])
})
