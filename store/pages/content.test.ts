import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type * as z from 'zod'
import { StartupError } from '#platform/startup-error.ts'
import { anEmptyStore } from '#test/store.ts'
import { loadContentFile } from './content.ts'
import { Help, PortfolioContent } from './contract.ts'

const shipped = path.join(import.meta.dirname, '../../content/portfolio.json')
const folder = mkdtempSync(path.join(os.tmpdir(), 'portfolio-'))
after(() => rmSync(folder, { recursive: true }))

const education = { title: 'BSc', school: 'Westhaven', years: '2011 to 2014' }
const whole = {
  name: 'Robin Hale',
  role: 'Developer',
  photo: '/robin.jpg',
  about: 'Builds stores.',
  education: [education],
  skills: [{ group: 'Server', skills: ['SQL'] }],
  projects: [{ name: 'A store', about: 'This one.', link: 'https://shop.example/' }],
}

function write(content: string, name = 'portfolio.json'): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

/** The lines with which the store does not start on this file, without the file's name. */
async function refused(file: string, as: z.ZodType = PortfolioContent): Promise<string[]> {
  const error = await loadContentFile(file, as).then(
    () => assert.fail('it was taken'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof StartupError)
  const name = path.relative('.', file)
  return error.message.split('\n').map((line) => {
    assert.ok(line.startsWith(name), line)
    return line.slice(name.length).replace(/^: /, '')
  })
}

test('the portfolio is answered as the owner wrote it', async () => {
  await using store = await anEmptyStore()
  const answer = await store.visitor.request('GET', '/portfolio')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), JSON.parse(readFileSync(shipped, 'utf8')))
})

test('the help is answered as the owner wrote it, and its chapters have addresses', async () => {
  await using store = await anEmptyStore()
  const answer = await store.visitor.request('GET', '/help')
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), JSON.parse(readFileSync(path.join(import.meta.dirname, '../../content/help.json'), 'utf8')))
  const chapter = { id: 'Big Words', title: 'Delivery', paragraphs: ['Soon.'] }
  const wrong = write(JSON.stringify({ contact: { email: 'nobody', answers: 'Always.' }, chapters: [chapter] }), 'help.json')
  assert.deepEqual(await refused(wrong, Help), ['contact.email is an e-mail address', 'chapters[0].id is a word in small letters'])
})

test('a portfolio is of a real person unless it says otherwise, and may begin with a byte order mark', async () => {
  assert.deepEqual(await loadContentFile(write(`\uFEFF${JSON.stringify(whole)}`), PortfolioContent), { ...whole, example: false })
})

test('a wrong field is named in one line', async () => {
  for (const [wrong, line] of [
    [{ ...whole, name: '  ' }, 'name is a text that is not empty'],
    [{ ...whole, about: undefined }, 'about is a text that is not empty'],
    [{ ...whole, photo: 'robin.jpg' }, 'photo is an address that begins with / or https://'],
    [{ ...whole, photo: '//elsewhere.example/robin.jpg' }, 'photo is an address that begins with / or https://'],
    [{ ...whole, example: 'yes' }, 'example is true or false'],
    [{ ...whole, education: [education, { ...education, school: 7 }] }, 'education[1].school is a text that is not empty'],
    [{ ...whole, education: education }, 'education is a list'],
    [{ ...whole, skills: [] }, 'skills has at least one entry'],
    [{ ...whole, skills: [{ group: 'Server', skills: ['SQL', ''] }] }, 'skills[0].skills[1] is a text that is not empty'],
    [{ ...whole, skills: ['SQL'] }, 'skills[0] is an entry in braces'],
    [
      { ...whole, projects: [{ ...whole.projects[0], link: 'javascript:alert(1)' }] },
      'projects[0].link is an address that begins with / or https://',
    ],
    [{ ...whole, education: [{ ...education, colour: 'green' }] }, 'education[0].colour is not known here'],
    [[whole], 'all of it is an entry in braces'],
  ] as const)
    assert.deepEqual(await refused(write(JSON.stringify(wrong))), [line])
})

test('several wrong fields are a line each', async () => {
  assert.deepEqual(await refused(write(JSON.stringify({ ...whole, role: '', nmae: 'Robin' }))), [
    'role is a text that is not empty',
    'nmae is not known here',
  ])
})

test('what is not JSON is told in one line that says where', async () => {
  const [line = '', ...more] = await refused(
    write('{\n  "name": "Robin Hale",\n  "role": "Developer"\n  "about": "No comma before this"\n}'),
  )
  assert.match(line, / is not JSON: .*line 4/)
  assert.deepEqual(more, [])
})

test('a missing portfolio is told in one line', async () => {
  const [line = '', ...more] = await refused(path.join(folder, 'none.json'))
  assert.match(line, / cannot be read: ENOENT/)
  assert.deepEqual(more, [])
})
