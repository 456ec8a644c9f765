import type { ReactNode } from 'react'
import { minPhoneCharacters } from '#store/constants.ts'
import { Field } from '#web/field.tsx'
import type { CheckoutFields } from './checkout-fields.ts'

type ContactFieldsProps = {
  fields: CheckoutFields
  /** of the account; null for a visitor */
  accountEmail: string | null
  /** for who has an account and has not signed in */
  signIn?: ReactNode
}

/** Who is written to. The e-mail of an account is its own. */
export function ContactFields({ fields, accountEmail, signIn }: ContactFieldsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {accountEmail !== null ? (
        <Field label="E-mail" value={accountEmail} readOnly hint="Of your account" />
      ) : (
        <Field
          label="E-mail"
          type="email"
          autoComplete="email"
          required
          hint={<>The order and its receipt go there. {signIn}</>}
          error={fields.errorOf('email')}
          {...fields.propsOf('email')}
        />
      )}
      <Field
        label="Phone number"
        optional
        type="tel"
        autoComplete="tel"
        hint={`Only for questions of delivery. At least ${minPhoneCharacters} characters, such as +1 555 010 0199`}
        error={fields.errorOf('phone')}
        {...fields.propsOf('phone')}
      />
    </div>
  )
}
