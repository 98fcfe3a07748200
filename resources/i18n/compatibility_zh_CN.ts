<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ChoiceBlock</name>
    <message numerus="yes">
        <source>%n card(s)</source>
        <translation>
            <numerusform>%n 张卡</numerusform>
        </translation>
    </message>
    <message>
        <source>Cards that are judged: {cards}</source>
        <translation>参与检查的显卡：{cards}</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Fresh environment</source>
        <translation>全新环境</translation>
    </message>
    <message>
        <source>No Python environment found</source>
        <translation>没有找到 Python 环境</translation>
    </message>
    <message>
        <source>Not while something is assumed</source>
        <translation>假设期间不可更改</translation>
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
        <source>TensorFlow {version}, installed</source>
        <translation>TensorFlow {version}，已安装</translation>
    </message>
    <message>
        <source>What is installed: none</source>
        <translation>已安装：无</translation>
    </message>
    <message numerus="yes">
        <source>all %n card(s)</source>
        <translation>
            <numerusform>全部 %n 张卡</numerusform>
        </translation>
    </message>
    <message>
        <source>on</source>
        <translation>用于</translation>
    </message>
    <message>
        <source>with</source>
        <translation>搭配</translation>
    </message>
</context>
<context>
    <name>CompatibilityPage</name>
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
        <source>Explain an error…</source>
        <translation>解释错误…</translation>
    </message>
    <message>
        <source>Make a working environment…</source>
        <translation>创建可用环境…</translation>
    </message>
    <message>
        <source>The verdict with another driver, card, Python or release</source>
        <translation>换一种驱动、显卡、Python 或版本后的结论</translation>
    </message>
    <message>
        <source>Under these assumptions</source>
        <translation>在这些假设下</translation>
    </message>
    <message>
        <source>What if…</source>
        <translation>假如…</translation>
    </message>
</context>
<context>
    <name>FindingsBlock</name>
    <message>
        <source>All ways, step by step</source>
        <translation>查看全部途径和步骤</translation>
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
        <source>The machine and its Python environments are being read.</source>
        <translation>正在读取机器及其 Python 环境。</translation>
    </message>
</context>
<context>
    <name>ReleasesBlock</name>
    <message>
        <source>Hide the reasons</source>
        <translation>收起原因</translation>
    </message>
    <message>
        <source>Nothing speaks against it.</source>
        <translation>没有不利因素。</translation>
    </message>
    <message>
        <source>Show all reasons</source>
        <translation>显示全部原因</translation>
    </message>
    <message>
        <source>TensorFlow releases on this machine</source>
        <translation>本机可用的 TensorFlow 版本</translation>
    </message>
    <message>
        <source>in a fresh environment, Python {version}</source>
        <translation>全新环境，Python {version}</translation>
    </message>
    <message>
        <source>in the chosen environment</source>
        <translation>所选环境中的版本</translation>
    </message>
    <message>
        <source>the best choice</source>
        <translation>最佳选择</translation>
    </message>
</context>
<context>
    <name>WhatIf</name>
    <message>
        <source>CUDA libraries in the environment</source>
        <translation>环境中的 CUDA 库</translation>
    </message>
    <message>
        <source>CUDA libraries of the system</source>
        <translation>系统的 CUDA 库</translation>
    </message>
    <message>
        <source>Taken as ordinary: {values}.</source>
        <translation>其余按常见情况：{values}。</translation>
    </message>
    <message>
        <source>XLA off</source>
        <translation>XLA 关闭</translation>
    </message>
    <message>
        <source>XLA on</source>
        <translation>XLA 开启</translation>
    </message>
    <message>
        <source>You see a machine that is not here.</source>
        <translation>你看到的是一台并不在此的机器。</translation>
    </message>
    <message>
        <source>You see a machine that is not here: {parts}.</source>
        <translation>你看到的是一台并不在此的机器：{parts}。</translation>
    </message>
    <message>
        <source>You see what would be, with {parts}.</source>
        <translation>你看到的是假设情况：{parts}。</translation>
    </message>
    <message>
        <source>driver {value}</source>
        <translation>驱动 {value}</translation>
    </message>
    <message>
        <source>no CUDA libraries</source>
        <translation>没有 CUDA 库</translation>
    </message>
    <message>
        <source>no TensorFlow</source>
        <translation>没有 TensorFlow</translation>
    </message>
    <message>
        <source>no driver</source>
        <translation>没有驱动</translation>
    </message>
    <message>
        <source>no graphics card</source>
        <translation>没有显卡</translation>
    </message>
    <message>
        <source>{new} instead of {old}</source>
        <translation>{new}（现为 {old}）</translation>
    </message>
    <message>
        <source>“{value}” is no version: write numbers with dots between them, or choose one.</source>
        <translation>“{value}”不是版本号：请写成用点分隔的数字，或从列表中选择。</translation>
    </message>
</context>
<context>
    <name>WhatIfBar</name>
    <message>
        <source>As it is:</source>
        <translation>现状：</translation>
    </message>
    <message>
        <source>Back to the recorded machine</source>
        <translation>回到录制的机器</translation>
    </message>
    <message>
        <source>Back to this machine</source>
        <translation>回到本机</translation>
    </message>
    <message>
        <source>Then:</source>
        <translation>假设后：</translation>
    </message>
</context>
<context>
    <name>WhatIfPanel</name>
    <message>
        <source>A machine that is not here: what is not said is taken as ordinary.</source>
        <translation>一台并不在此的机器：未说明的部分按常见情况处理。</translation>
    </message>
    <message>
        <source>CUDA libraries</source>
        <translation>CUDA 库</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Ignore this machine</source>
        <translation>不考虑本机</translation>
    </message>
    <message>
        <source>Linux in Windows (WSL2)</source>
        <translation>Windows 中的 Linux（WSL2）</translation>
    </message>
    <message>
        <source>Operating system</source>
        <translation>操作系统</translation>
    </message>
    <message>
        <source>Several: RTX 4090, RTX 3060 or 2x RTX 4090. A card that is not listed: NAME:8.9</source>
        <translation>多张：RTX 4090, RTX 3060 或 2x RTX 4090。未列出的卡：名称:8.9</translation>
    </message>
    <message>
        <source>The verdict of another machine; nothing on this one is changed.</source>
        <translation>另一台机器的结论；本机不会有任何改动。</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假如</translation>
    </message>
    <message>
        <source>What if…</source>
        <translation>假如…</translation>
    </message>
    <message>
        <source>XLA compiler</source>
        <translation>XLA 编译器</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>保持现状</translation>
    </message>
    <message>
        <source>in the environment</source>
        <translation>在环境中</translation>
    </message>
    <message>
        <source>no TensorFlow</source>
        <translation>没有 TensorFlow</translation>
    </message>
    <message>
        <source>no driver</source>
        <translation>没有驱动</translation>
    </message>
    <message>
        <source>no graphics card</source>
        <translation>没有显卡</translation>
    </message>
    <message>
        <source>none</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>of the system</source>
        <translation>系统自带</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
</context>
</TS>
