package io.gatehouse.control.pki;

import io.gatehouse.model.net.InvalidValueException;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/** Reads certificates whose time is over, and says who has signed them. */
public final class ExpiredCertificates {
  private ExpiredCertificates() {}

  /**
   * Reads one that anybody may have sent.
   *
   * @throws InvalidValueException if it is none
   */
  public static X509Certificate read(byte[] der) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw new InvalidValueException("expired_chain", der.length + " bytes", "are no certificate");
    }
  }

  /** Whether an authority has signed the certificate; times are not looked at. */
  public static boolean isSignedBy(X509Certificate certificate, byte[] authority) {
    try {
      certificate.verify(Profiles.read(authority).getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
