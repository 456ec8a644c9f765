export default function Screen() { return <h1>payments/screens/payment</h1> }
