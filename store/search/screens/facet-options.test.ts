import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facet } from '#store/search/contract.ts'
import { tableAttributes } from './facet-options.ts'

const choice = (key: string, unknown: number): Facet => ({
  ...{ kind: 'choice', key: `spec.${key}`, label: key, unknown, choices: [], others: 0 },
})
const number = (key: string, unknown: number): Facet => ({
  ...{ kind: 'number', key: `spec.${key}`, label: key, unknown, least: 1, most: 2, common: [] },
})
const pricePer = (key: string, unknown: number): Facet => ({ ...number(key, unknown), ...{ kind: 'number', price_per: 'capacity_gb' } })
const columnsOf = (facets: Facet[], total: number, address = '', specs: Record<string, unknown>[] = []) =>
  tableAttributes(facets, { total, search: new URLSearchParams(address), products: specs.map((one) => ({ specs: one })) }).map(({ key }) =>
    key.slice(5),
  )

test('the columns of a table are the first attributes that at least 60 % of what was found state, as many as fit, then the price per unit', () => {
  const choices = ['socket', 'form', 'memory', 'slots', 'chipset'].map((key) => choice(key, 40))
  assert.deepEqual(columnsOf(choices, 100), ['socket', 'form', 'memory', 'slots'])
  assert.deepEqual(columnsOf([pricePer('price_per_gb', 10), ...choices], 100), ['socket', 'form', 'memory', 'price_per_gb'])
  assert.deepEqual(columnsOf([choice('socket', 0), choice('wifi', 41), choice('form', 0)], 100), ['socket', 'form'])
  const numbers = ['capacity', 'modules', 'speed', 'cas', 'height', 'width'].map((key) => number(key, 0))
  assert.deepEqual(columnsOf(numbers, 100), ['capacity', 'modules', 'speed', 'cas', 'height'])
})

test('a number that a table is filtered by is a column of it, however few of the kind state it', () => {
  const facets = [choice('water', 0), choice('radiator_mm', 530), choice('height_mm', 470)]
  assert.deepEqual(columnsOf(facets, 1000), ['water'])
  assert.deepEqual(columnsOf(facets, 200, 'spec.radiator_mm.min=240'), ['water', 'radiator_mm'])
})

test('the columns of a table begin with that by which it is sorted and those by which it is limited, where there is no room for all', () => {
  const numbers = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => number(key, 0))
  assert.deepEqual(columnsOf(numbers, 1, 'sort=-spec.g'), ['a', 'b', 'c', 'd', 'g'])
  const limits = 'spec.b=x&spec.c.min=1&spec.d.min=1&spec.e.min=1&spec.f.max=5&sort=spec.g'
  assert.deepEqual(columnsOf(numbers, 1, limits), ['b', 'c', 'd', 'e', 'g'])
})

test('a list of many values, such as the sockets of a cooler, is no column', () => {
  const facets = [choice('sockets', 0), choice('boards', 0)]
  const cooler = { sockets: ['AM4', 'AM5', 'LGA1150', 'LGA1151', 'LGA1700'], boards: ['ATX', 'Micro ATX', 'Mini-ITX'] }
  assert.deepEqual(columnsOf(facets, 3, '', [cooler, cooler, { sockets: ['AM5'] }]), ['boards'])
})
