{{- define "entwine.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "entwine.pod" -}}
automountServiceAccountToken: false
{{- with .Values.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext: {runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, seccompProfile: {type: RuntimeDefault}}
volumes:
  - name: data
    emptyDir: {}
{{- with .Values.files.claim }}
  - name: files
    persistentVolumeClaim: {claimName: {{ . | quote }}}
{{- end }}
  - name: secrets
    secret: {secretName: {{ .Values.secret | quote }}, defaultMode: 0440}
{{- end }}

{{- define "entwine.container" -}}
image: {{ printf "%s:%s" .Values.image .Values.tag | quote }}
imagePullPolicy: {{ .Values.pullPolicy }}
securityContext: {readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
volumeMounts:
  - {name: data, mountPath: /data}
{{- if .Values.files.claim }}
  - {name: files, mountPath: /data/files}
{{- end }}
  - {name: secrets, mountPath: /run/secrets, readOnly: true}
{{- end }}

{{- define "entwine.settings" -}}
{{- range $name, $value := .Values.settings }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- range .Values.secretKeys }}
- {name: {{ . }}_FILE, value: {{ printf "/run/secrets/%s" . | quote }}}
{{- end }}
- {name: ENTWINE_DATA_DIR, value: /data}
- {name: ENTWINE_METRICS_ADDR, value: ":9090"}
- {name: ENTWINE_DATABASE_WAIT, value: 30s}
{{- end }}

{{- define "entwine.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {{ toJson . }}}
{{- end }}
