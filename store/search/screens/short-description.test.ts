import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortDescription } from './short-description.ts'

test('a description is shortened to its first 30 characters and three dots', () => {
  assert.equal(shortDescription('Aluminium 4 mm driver with 64 bits for laptops'), 'Aluminium 4 mm driver with 64 ...')
})

test('a description of 30 characters or fewer is shown whole, without dots', () => {
  assert.equal(shortDescription('x'.repeat(30)), 'x'.repeat(30))
  assert.equal(shortDescription('Grips.'), 'Grips.')
  assert.equal(shortDescription(''), '')
  assert.equal(shortDescription('x'.repeat(31)), `${'x'.repeat(30)}...`)
})

test('no character that people see as one is cut in half', () => {
  const technician = '👩🏽‍🔧'
  const accented = 'e\u0301'
  assert.equal(shortDescription(technician.repeat(30)), technician.repeat(30))
  assert.equal(shortDescription(technician.repeat(31)), `${technician.repeat(30)}...`)
  assert.equal(shortDescription(accented.repeat(40)), `${accented.repeat(30)}...`)
})
