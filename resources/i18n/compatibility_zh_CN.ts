<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CompatibilityPage</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Checked {time}</source>
        <translation>检查于 {time}</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>检查中…</translation>
    </message>
    <message>
        <source>Compatibility</source>
        <translation>兼容性</translation>
    </message>
    <message>
        <source>Every requirement is met; it has not been proven on the GPU yet.</source>
        <translation>所有条件均已满足；尚未在 GPU 上验证。</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>Make a working environment…</source>
        <translation>创建可用环境…</translation>
    </message>
    <message>
        <source>No Python environment found</source>
        <translation>没有找到 Python 环境</translation>
    </message>
    <message>
        <source>Python environment</source>
        <translation>Python 环境</translation>
    </message>
    <message>
        <source>TensorFlow release</source>
        <translation>TensorFlow 版本</translation>
    </message>
    <message>
        <source>TensorFlow releases on this machine</source>
        <translation>本机可用的 TensorFlow 版本</translation>
    </message>
    <message>
        <source>TensorFlow {version}, installed</source>
        <translation>TensorFlow {version}，已安装</translation>
    </message>
    <message>
        <source>The machine and its Python environments are being read.</source>
        <translation>正在读取机器及其 Python 环境。</translation>
    </message>
    <message>
        <source>What is installed: none</source>
        <translation>已安装：无</translation>
    </message>
    <message>
        <source>in a fresh environment, Python {version}</source>
        <translation>全新环境，Python {version}</translation>
    </message>
    <message>
        <source>on {cards}</source>
        <translation>用于 {cards}</translation>
    </message>
    <message>
        <source>with</source>
        <translation>搭配</translation>
    </message>
</context>
</TS>
