import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileForm } from './contract.ts'

const filled = { picture: '/ada.svg', education: 'Mathematics', location: 'London', phone: '+44 20 7946 0999', linkedIn: '' }
const complaints = (changes: object) =>
  profileForm.safeParse({ ...filled, ...changes }).error?.issues.map(({ path, message }) => `${path}: ${message}`) ?? []

test('education and the link to LinkedIn may be missing, empty or blank; what stands there is kept without blanks around it', () => {
  assert.deepEqual(profileForm.parse({ ...filled, education: undefined, linkedIn: '  ' }), { ...filled, education: '', linkedIn: '' })
  assert.equal(profileForm.parse({ ...filled, education: ' Mathematics ' }).education, 'Mathematics')
  assert.deepEqual(complaints({ education: 'x'.repeat(500) }), [])
  assert.deepEqual(complaints({ education: 'x'.repeat(501) }), ['education: At most 500 characters'])
  assert.deepEqual(complaints({ education: 5 }), ['education: This is text, or empty'])
})

test('a link to LinkedIn may leave its scheme out, leads to a web page of a host with a dot, and has no user name in it', () => {
  for (const [typed, kept] of [
    ['linkedin.com/in/ada', 'https://linkedin.com/in/ada'],
    ['https://linkedin.com/in/ada', 'https://linkedin.com/in/ada'],
    ['http://linkedin.com/in/ada', 'http://linkedin.com/in/ada'],
  ] as const)
    assert.equal(profileForm.parse({ ...filled, linkedIn: typed }).linkedIn, kept)
  for (const linkedIn of [
    'ada',
    'javascript:alert(1)',
    'ftp://linkedin.com/ada',
    'https://ada@linkedin.com/',
    'linkedin.com:x',
    'https://',
    'no link.com',
  ])
    assert.deepEqual(complaints({ linkedIn }), ['linkedIn: This is not a link, like linkedin.com/in/your-name'], linkedIn)
})

test('a phone number is text or a number, and has digits', () => {
  assert.equal(profileForm.parse({ ...filled, phone: 5_550_100_199 }).phone, '5550100199')
  for (const [phone, said] of [
    ['+1 (555) 010-0199', []],
    ['call me', ['phone: A phone number has digits, like +1 555 010 0199']],
    ['1'.repeat(41), ['phone: At most 40 characters']],
    [undefined, ['phone: phone is required']],
    [' ', ['phone: phone is required']],
  ] as const)
    assert.deepEqual(complaints({ phone }).slice(0, 1), said, phone)
})
