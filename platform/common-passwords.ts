/** In lower case. */
const commonPasswords: ReadonlySet<string> = new Set(
  `password password1 password12 password123 passw0rd p@ssword p@ssw0rd 12345678 123456789 1234567890 87654321 987654321
  11111111 00000000 12341234 11223344 12344321 123123123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwertyui qwertyuiop qwerty12
  qwerty123 qwerty1234 asdfghjk asdfghjkl asdf1234 zxcvbnm1 abcd1234 abc12345 a1b2c3d4 aa123456 abcdefgh abcdefg1
  iloveyou iloveyou1 sunshine princess football baseball superman trustno1 welcome1 welcome123 letmein1 letmein123
  admin123 admin1234 administrator changeme changeme1 computer internet starwars whatever michelle jennifer jonathan
  alexander liverpool chocolate test1234 testtest default1 secret123 master123 monkey123 dragon123 nucleus1`.split(/\s+/),
)

/** Whether this is one of the most often guessed passwords of at least 8 characters, ignoring case. */
export const isCommonPassword = (password: string): boolean => commonPasswords.has(password.toLowerCase())
