import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayedPicture } from './displayed-picture.ts'

test('beside a review stands a drawing of the store, and no address of a stranger or of a route is loaded', () => {
  for (const drawing of ['/drawings/avatar.svg', '/drawings/cpu-cooler.svg']) assert.equal(displayedPicture(drawing), drawing)
  for (const img of [
    'https://pictures.example/ada.jpg',
    '//pictures.example/ada.jpg',
    '/\\pictures.example/ada.jpg',
    '/api/search?q=a',
    '/drawings/../api/search.svg',
    '/drawings/avatar.svg?1',
    ' https://pictures.example/drawings/avatar.svg',
    '',
  ])
    assert.equal(displayedPicture(img), '/drawings/avatar.svg', img)
})
