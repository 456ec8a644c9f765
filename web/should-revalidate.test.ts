import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { revalidateOnPathChange } from './should-revalidate.ts'

test('a list that the browser has whole is loaded anew where it has changed or another page is opened, and not for a search', () => {
  const isLoaded = (from: string, to: string, defaultShouldRevalidate = true) =>
    revalidateOnPathChange({
      currentUrl: new URL(from, 'http://shop.example'),
      nextUrl: new URL(to, 'http://shop.example'),
      defaultShouldRevalidate,
    } as ShouldRevalidateFunctionArgs)
  assert.equal(isLoaded('/dashboard/myorder?q=drill', '/dashboard/myorder?q=drill'), true)
  assert.equal(isLoaded('/dashboard/myorder', '/dashboard/myorder?q=drill'), false)
  assert.equal(isLoaded('/dashboard/myorder?page=2', '/dashboard/myorder'), false)
  assert.equal(isLoaded('/dashboard', '/dashboard/myorder'), true)
  assert.equal(isLoaded('/dashboard/myorder', '/dashboard/myorder', false), false)
})
