import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames, searchByName } from './search-by-name.ts'

const found = (name: string, wanted: string) => searchByName([{ name }], wanted).length === 1

test('a product is found by its words in any case, order, form and with or without accents', () => {
  for (const [name, wanted] of [
    ['Crimping Pliers 8P8C', 'pliers CRIMPING'],
    ['Café Kühler', 'cafe kuhler'],
    ['Cafe\u0301', 'caf\u00e9'],
    ['Große Zange', 'GROSSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['Capacitor 10 \u00b5F', '10 \u03bcf'],
    ['İzole pense', 'izole'],
    ['ＵＳＢ hub', 'usb'],
    ['Anything', '  '],
  ] as const)
    assert.ok(found(name, wanted), `${wanted} in ${name}`)
  assert.ok(!found('Crimping Pliers', 'pliers long'))
  assert.ok(!found('かき', 'かぎ'), 'the marks of other scripts make other words')
})

test('names are listed as people count and spell', () => {
  assert.deepEqual(['M10', 'm2', 'Éclair', 'Zange', 'eclat'].sort(compareNames), ['Éclair', 'eclat', 'm2', 'M10', 'Zange'])
})
