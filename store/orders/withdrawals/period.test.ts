import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWithdrawalCountry, lastDayToWithdraw } from './period.ts'

const lastDay = (deliveredOn: (string | null)[], holidays: string[] = [], isToSend = false) =>
  lastDayToWithdraw({ deliveredOn, isToSend, holidays })

test('the last day to withdraw is the 14th after the last delivery, or the next day on which the shop works', () => {
  for (const [deliveredOn, holidays, expected] of [
    ['2026-11-02', [], '2026-11-16'], // Monday to Monday: the day of delivery is not counted
    ['2026-11-06', [], '2026-11-20'], // to a Friday
    ['2026-11-07', [], '2026-11-23'], // a Saturday: Monday
    ['2026-11-08', [], '2026-11-23'], // a Sunday: Monday
    ['2026-12-11', ['2026-12-25'], '2026-12-28'], // Christmas on a Friday, then a weekend
    ['2026-12-11', ['2026-12-25', '2026-12-28'], '2026-12-29'],
    ['2026-12-18', ['2026-12-25', '2027-01-01'], '2027-01-04'], // holidays within the period count
    ['2028-02-15', [], '2028-02-29'],
    ['2026-12-21', [], '2027-01-04'],
  ] as const)
    assert.equal(lastDay([deliveredOn], [...holidays]), expected, deliveredOn)
})

test('the period begins with the last parcel, and not before all of the order is delivered', () => {
  assert.equal(lastDay(['2026-11-10', '2026-11-02', '2026-11-03']), '2026-11-24')
  assert.equal(lastDay(['2026-11-02', null]), null)
  assert.equal(lastDay(['2026-11-02'], [], true), null)
  assert.equal(lastDay([]), null)
})

test('the right is that of consumers in the EU and the EEA', () => {
  for (const country of ['DE', 'FR', 'GR', 'IE', 'IS', 'LI', 'NO']) assert.ok(isWithdrawalCountry(country), country)
  for (const country of ['GB', 'CH', 'US', 'EL', '']) assert.ok(!isWithdrawalCountry(country), country)
})
