import { minPhoneCharacters } from '#store/constants.ts'
import { loginUrlReturningTo } from '#store/identity/screens/return-url.ts'
import type { Account } from '#web/account.ts'
import { Field } from '#web/field.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { CheckoutFormHandle } from './address-fields.tsx'

/** Who is written to. The e-mail of an account is its own. */
export function ContactFields({ form, account }: { form: CheckoutFormHandle; account: Account | null }) {
  const { register, formState } = form
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {account ? (
        <Field label="E-mail" value={account.email} readOnly hint="Of your account" />
      ) : (
        <Field
          label="E-mail"
          type="email"
          autoComplete="email"
          required
          hint={
            <>
              The order and its receipt go there. You have an account? <TextLink to={loginUrlReturningTo(location.href)}>Sign in</TextLink>
            </>
          }
          error={formState.errors.email?.message}
          {...register('email')}
        />
      )}
      <Field
        label="Phone number"
        optional
        type="tel"
        autoComplete="tel"
        hint={`Only for questions of delivery. At least ${minPhoneCharacters} characters, such as +1 555 010 0199`}
        error={formState.errors.phone?.message}
        {...register('phone')}
      />
    </div>
  )
}
